// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tables of the cases of a face and the tests that carry their ids say the same. Core's cases have such a test
/// beside them, which knows their modes.
class CaseTableTest {
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");

    @ParameterizedTest
    @CsvSource({"CA, coarray", "ST, stream diagnosis examples cuda", "GI, gin"})
    @DisplayName("each case has one row, which names all classes that test it")
    void theTableSaysWhatIsTested(String prefix, String modules) throws IOException {
        Pattern row = Pattern.compile(
                "^\\| (" + prefix + "-[A-Z]\\d+) \\|[^|]+\\|([^|]+)\\|[^|]+\\|[^|]*\\|$", Pattern.MULTILINE);
        Map<String, Set<String>> table = new TreeMap<>();
        for (MatchResult each : row.matcher(Files.readString(Path.of("../docs/conformance.md")))
                .results()
                .toList()) {
            Set<String> classes = new TreeSet<>();
            CLASS.matcher(each.group(2)).results().forEach(name -> classes.add(name.group(1)));
            assertThat(table.put(each.group(1), classes))
                    .as("one row of %s", each.group(1))
                    .isNull();
        }
        assertThat(table)
                .isNotEmpty()
                .isEqualTo(tested(Pattern.compile(prefix + "-[A-Z]\\d+"), modules.split(" ", -1)));
    }

    private static Map<String, Set<String>> tested(Pattern id, String... modules) throws IOException {
        Map<String, Set<String>> tested = new TreeMap<>();
        for (String module : modules) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/test/java"))) {
                for (Path file : files.filter(each -> each.toString().endsWith("Test.java"))
                        .toList()) {
                    String name = file.getFileName().toString().replace(".java", "");
                    id.matcher(Files.readString(file))
                            .results()
                            .forEach(each -> tested.computeIfAbsent(each.group(), _ -> new TreeSet<>())
                                    .add(name));
                }
            }
        }
        return tested;
    }
}
