// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExitCodesPageTest {
    @Test
    @DisplayName("docs/command-line.md has exactly the rows of ExitCode, in their order")
    void pageIsTheTable() throws IOException {
        List<String> rows = Files.readAllLines(Path.of("..", "docs", "command-line.md")).stream()
                .filter(line -> line.matches("\\| \\d+ \\|.*"))
                .toList();
        List<String> expected = Arrays.stream(ExitCode.values())
                .map(each -> "| " + each.code() + " | " + each.meaning() + " |")
                .toList();
        assertThat(rows).isEqualTo(expected);
    }
}
