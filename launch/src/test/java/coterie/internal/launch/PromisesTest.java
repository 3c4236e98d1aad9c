// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The promises about failures and the tests that hold them.
class PromisesTest {
    private static final Pattern ROW = Pattern.compile("^\\|[^\\n]*\\|(?<tests>[^|]+)\\|$", Pattern.MULTILINE);
    private static final Pattern PROMISE = Pattern.compile("^\\| (G\\d+) \\|.*`\\w+` \\|$", Pattern.MULTILINE);
    private static final Pattern CLASS = Pattern.compile("`(\\w+(?:Test|Benchmark))`");

    @Test
    @DisplayName("each promise has a row with a class of tests, and each class of the page exists")
    void thePageNamesClassesThatExist() throws IOException {
        String page = Files.readString(Path.of("../docs/failures.md"));
        List<String> promises =
                PROMISE.matcher(page).results().map(row -> row.group(1)).toList();
        assertThat(promises)
                .isEqualTo(IntStream.rangeClosed(1, 10)
                        .mapToObj(number -> "G" + number)
                        .toList());
        Set<String> named = ROW.matcher(page)
                .results()
                .flatMap(row -> CLASS.matcher(row.group("tests")).results())
                .map(name -> name.group(1))
                .collect(Collectors.toSet());
        assertThat(named).isNotEmpty().isSubsetOf(tests());
    }

    private static Set<String> tests() throws IOException {
        try (Stream<Path> modules = Files.list(Path.of("..")).filter(Files::isDirectory)) {
            return modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .flatMap(PromisesTest::names)
                    .collect(Collectors.toSet());
        }
    }

    private static Stream<String> names(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".java"))
                    .map(name -> name.substring(0, name.length() - ".java".length()))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
