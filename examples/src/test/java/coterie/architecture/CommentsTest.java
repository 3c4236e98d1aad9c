// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class CommentsTest {
    /// Words that look like types, and what they are.
    private static final Map<String, String> NO_TYPES = Map.of(
            "SomeTest", "a reader's class",
            "Nbi", "the end of names",
            "CudaManaged", "a memory type of UCC's settings",
            "Coop", "a parameter of NCCL's templates",
            "Infinity", "an argument of a program");

    /// By their path from the folder of all modules.
    private static final Map<String, List<String>> SOURCES = new TreeMap<>();

    @BeforeAll
    static void read() throws IOException {
        Path root = SourceFilesTest.root();
        for (Path source : SourceFilesTest.find(root)) {
            SOURCES.put(root.relativize(source).toString().replace('\\', '/'), Files.readAllLines(source));
        }
    }

    @Test
    @DisplayName("tables in comments are tables: no line wrap breaks a row")
    void tables() {
        List<String> found = new ArrayList<>();
        SOURCES.forEach((path, lines) -> found.addAll(Comments.brokenTables(path, lines)));
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("types that comments of main code name exist, in the house or in the JDK")
    void types() {
        Set<String> known = Comments.typesOfJdk();
        known.addAll(NO_TYPES.keySet());
        SOURCES.values()
                .forEach(lines -> Comments.declared(String.join("\n", lines)).forEach(known::add));
        List<String> found = new ArrayList<>();
        SOURCES.forEach((path, lines) -> {
            if (path.contains("/src/main/")) {
                found.addAll(Comments.unknownTypes(path, lines, known::contains));
            }
        });
        assertThat(found).isEmpty();
    }

    @Test
    @DisplayName("a broken table and an unknown type are found, and what is right is not")
    void findsWhatItLooksFor() {
        List<String> table = List.of("/// | a | b |", "/// |---|---|", "/// | c | d |", "///", "/// Text | text.");
        assertThat(Comments.brokenTables("A.java", table)).isEmpty();
        assertThat(Comments.brokenTables("A.java", List.of("/// | a | b |", "/// |---|---|", "/// | c | d", "/// e |")))
                .containsExactly(
                        "A.java:3 a row has one line, and ends with |",
                        "A.java:4 a row has one line, or an empty line comes after a table");
        assertThat(Comments.brokenTables("A.java", List.of("/// Text", "/// | a |", "/// | b |", "/// | c | d |")))
                .containsExactly(
                        "A.java:2 an empty line comes before a table",
                        "A.java:3 the second row of a table is |---|",
                        "A.java:4 a row has as many cells as the first one");
        assertThat(Comments.brokenTables("A.java", List.of("/// ```", "/// | a", "/// ```", "int a; // | b")))
                .isEmpty();

        List<String> wrong = List.of(
                "/// See [Gone#call] and `Gone.call()`,",
                "int a = 1; // `GoneToo`, [coterie.old.Gone]",
                "String b = \"`Gone`\";",
                "/// ```",
                "/// a ──► LongGone ──► b");
        assertThat(Comments.unknownTypes("A.java", wrong, Set.of("Here")::contains))
                .containsExactly(
                        "A.java:1 Gone", "A.java:1 Gone", "A.java:2 GoneToo", "A.java:2 Gone", "A.java:5 LongGone");
        List<String> right = List.of(
                "/// [Here], `Here`, `CONSTANT`, `word`, [text](page.md)",
                "/// ```",
                "/// a ──► Gone ──► b",
                "/// ```");
        assertThat(Comments.unknownTypes("A.java", right, Set.of("Here")::contains))
                .isEmpty();
    }
}
