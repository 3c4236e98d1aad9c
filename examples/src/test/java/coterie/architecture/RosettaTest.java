// SPDX-License-Identifier: Apache-2.0
package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.architecture.Counterparts.Counterpart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The rosetta, which a template and the tag `@counterpart` of the sources make.
class RosettaTest {
    private static final Path PAGE = Path.of("../docs/rosetta.md");
    private static final Path TEMPLATE = Path.of("src/test/resources/rosetta-page.txt");
    private static final Pattern MEMBER = Pattern.compile("`(coterie(?:\\.\\w+)+)(?:#(\\w+))?`");
    private static Counterparts counterparts;
    private static RosettaPage made;

    @BeforeAll
    static void make() throws IOException {
        List<Path> sources = SourceFilesTest.find(SourceFilesTest.root()).stream()
                .filter(path -> path.toString().contains("/src/main/java/coterie/"))
                .toList();
        counterparts = Counterparts.read(sources);
        made = new RosettaPage(Files.readString(TEMPLATE), counterparts.all);
    }

    @Test
    @DisplayName("the page is what its template and the tags give")
    void thePageIsMade() throws IOException {
        if (System.getProperty("coterie.rosetta", "").equals("write")) {
            Files.writeString(PAGE, made.text);
        }
        assertThat(PAGE)
                .as("CONTRIBUTING.md has the command that rewrites the page, with -Dcoterie.rosetta=write")
                .hasContent(made.text);
    }

    @Test
    @DisplayName(
            "a table has each tag, each name of a comment in the template stands for a tag, and Javadoc knows all tags")
    void everyTagHasARow() {
        assertThat(counterparts.all).hasSizeGreaterThan(500);
        assertThat(counterparts.unknown).isEmpty();
        assertThat(made.complaints).isEmpty();
    }

    @Test
    @DisplayName("no table has two rows for the same names")
    void noTableSaysAThingTwice() {
        assertThat(made.text.split("\n\n"))
                .allSatisfy(table -> assertThat(table.lines()
                                .filter(line -> line.startsWith("|"))
                                .map(row -> row.split(" \\| ", 2)[0]))
                        .doesNotHaveDuplicates());
    }

    @Test
    void everyMemberThatTheRosettaNamesExists() throws IOException {
        List<String> missing = new ArrayList<>();
        Matcher member = MEMBER.matcher(Files.readString(TEMPLATE)
                + counterparts.all.stream().map(Counterpart::note).collect(Collectors.joining(" ")));
        while (member.find()) {
            if (!exists(member.group(1), member.group(2))) {
                missing.add(member.group());
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("each name of the documents that the page maps is in a row of it")
    void everyNameOfTheDocumentsHasARow() throws IOException {
        String rows = made.text.lines().filter(line -> line.startsWith("|")).collect(Collectors.joining("\n"));
        List<String> names = Files.readAllLines(Path.of("src/test/resources/rosetta-names.txt")).stream()
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .toList();
        assertThat(names).hasSizeGreaterThan(150);
        assertThat(names)
                .filteredOn(name -> !Pattern.compile("(?<!\\w)" + Pattern.quote(name) + "(?!\\w)")
                        .matcher(rows)
                        .find())
                .isEmpty();
    }

    private static boolean exists(String type, String name) {
        try {
            Class<?> named = Class.forName(type);
            return name == null
                    || Arrays.stream(named.getMethods())
                            .anyMatch(method -> method.getName().equals(name));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
