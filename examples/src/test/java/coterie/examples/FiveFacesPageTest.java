// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The page that has one halo exchange in five faces shows what runs.
class FiveFacesPageTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```(java|c)\\n(.*?)^```");
    private static final Path PAGE = ProgramRun.EXAMPLES.resolveSibling("docs/five-faces.md");

    private static List<String> blocks(String language) throws IOException {
        return BLOCK.matcher(Files.readString(PAGE))
                .results()
                .filter(block -> block.group(1).equals(language))
                .map(block -> block.group(2))
                .toList();
    }

    @Test
    @DisplayName("each block of the page is a piece of the example")
    void blocksAreOfTheExample() throws IOException {
        String program = Files.readString(ProgramRun.EXAMPLES.resolve("Halos.java"));
        String kernel = Files.readString(ProgramRun.EXAMPLES.resolve("gpu/halo.cu"));

        assertThat(blocks("java")).hasSize(4).allSatisfy(block -> assertThat(program)
                .contains(block));
        assertThat(blocks("c")).hasSize(1).allSatisfy(block -> assertThat(kernel)
                .contains(block));
    }
}
