// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The lists of classes that modules with conduits leave out.
class ExcludedCasesTest {
    private static List<String> names(Path list) throws IOException {
        return Files.readAllLines(list).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"examples/loopback", "tcp", "ucx"})
    @DisplayName(
            "a module's lists name classes that there are, once each, and the build's list has all of the long tier's")
    void lists(String module) throws IOException {
        List<String> build = names(Path.of("..", module, "conformance-excluded.txt"));
        assertThat(build)
                .doesNotHaveDuplicates()
                .containsAll(names(Path.of("..", module, "conformance-excluded-soak.txt")))
                .allSatisfy(name -> assertThatCode(() -> Class.forName("coterie.conformance." + name))
                        .doesNotThrowAnyException());
    }
}
