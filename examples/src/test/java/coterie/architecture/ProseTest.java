// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProseTest {
    /// Files that have the banned words as data.
    private static final Set<String> DATA = Stream.of("Prose", "ProseTest")
            .map(name -> "examples/src/test/java/coterie/architecture/" + name + ".java")
            .collect(Collectors.toSet());

    @Test
    @DisplayName("pages have sentences with actors, and lines of 120 columns at most")
    void pages() {
        List<String> found = check(path -> path.endsWith(".md"), Prose::inPage);
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("comments and messages of sources and tests have sentences with actors")
    void sources() {
        List<String> found = check(path -> path.endsWith(".java") && !DATA.contains(path), Prose::inSource);
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("what the rules forbid is found, and what they allow is not")
    void findsWhatItLooksFor() {
        assertThat(Prose.inPage("page", List.of("Who waits in vain is told.", "```", "who", "```", "`who` is a word")))
                .hasSize(2)
                .allMatch(line -> line.startsWith("page:1 "));
        assertThat(Prose.inPage("page", List.of("x ".repeat(61), "| " + "x ".repeat(61) + "|")))
                .containsExactly("page:1 has 122 columns; wrap at 120");
        assertThat(Prose.inSource("A.java", List.of("int who; // nobody reads it", "String s = \"somebody\" + who;")))
                .hasSize(2);
        assertThat(Prose.inSource(
                        "A.java", List.of("/// Returns whether a member waits for the root.", "who(\"the caller\")")))
                .isEmpty();
    }

    private static List<String> check(
            java.util.function.Predicate<String> isWanted, BiFunction<String, List<String>, List<String>> checker) {
        Path root = SourceFilesTest.root();
        try (Stream<Path> paths = Files.walk(root)) {
            return paths.filter(Files::isRegularFile)
                    .map(path -> root.relativize(path).toString().replace('\\', '/'))
                    .filter(path -> !path.contains("target/") && !path.startsWith(".") && isWanted.test(path))
                    .sorted()
                    .flatMap(path -> checker.apply(path, lines(root.resolve(path))).stream())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
