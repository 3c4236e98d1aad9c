// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

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
import org.junit.jupiter.api.Test;

/// The table of GIN cases and the tests that carry their ids say the same.
class GinTableTest {
    private static final Pattern ID = Pattern.compile("GI-[A-Z]\\d+");
    private static final Pattern CLASS = Pattern.compile("`(\\w+)`");
    private static final Pattern ROW =
            Pattern.compile("^\\| (GI-[A-Z]\\d+) \\|[^|]+\\|([^|]+)\\|[^|]+\\|[^|]*\\|$", Pattern.MULTILINE);

    @Test
    @DisplayName("each GIN case has one row, which names all classes that test it")
    void theTableSaysWhatIsTested() throws IOException {
        Map<String, Set<String>> table = new TreeMap<>();
        for (MatchResult row : ROW.matcher(Files.readString(Path.of("../docs/conformance.md")))
                .results()
                .toList()) {
            Set<String> classes = new TreeSet<>();
            CLASS.matcher(row.group(2)).results().forEach(name -> classes.add(name.group(1)));
            assertThat(table.put(row.group(1), classes))
                    .as("one row of %s", row.group(1))
                    .isNull();
        }
        Map<String, Set<String>> tested = new TreeMap<>();
        try (Stream<Path> files = Files.walk(Path.of("src/test/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith("Test.java")).toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                ID.matcher(Files.readString(file))
                        .results()
                        .forEach(id -> tested.computeIfAbsent(id.group(), _ -> new TreeSet<>())
                                .add(name));
            }
        }
        assertThat(table).isNotEmpty().isEqualTo(tested);
    }
}
