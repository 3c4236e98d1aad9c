// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The pages find each other: links between them, the two indices, and the pages that messages and comments name.
class LinksTest {
    private static final Path ROOT = SourceFilesTest.root();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path DECISIONS = DOCS.resolve("decisions");

    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern CODE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```$");

    /// A page that a source names by its path in the repository.
    private static final Pattern NAMED = Pattern.compile("\\bdocs/[\\w/-]+\\.md\\b");

    private static final List<String> SECTIONS =
            List.of("Question", "Decision", "Why", "Price", "What would change our mind");

    private final Map<Path, Set<String>> anchors = new HashMap<>();

    @Test
    @DisplayName("each link of a page leads to a file, and to a heading that the file has")
    void linksLeadSomewhere() throws IOException {
        List<String> broken = new ArrayList<>();
        int followed = 0;
        for (Path page : files(".md")) {
            for (String target : links(page)) {
                followed++;
                if (!exists(page, target)) {
                    broken.add(ROOT.relativize(page) + " links to " + target);
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(followed).isGreaterThan(200);
    }

    @Test
    @DisplayName("each page that a source or a script names exists")
    void namedPagesExist() throws IOException {
        List<String> missing = new ArrayList<>();
        for (Path source : files(".java", ".sh", ".cuh", ".cu", ".xml")) {
            NAMED.matcher(Files.readString(source))
                    .results()
                    .map(MatchResult::group)
                    .filter(page -> !Files.exists(ROOT.resolve(page)))
                    .forEach(page -> missing.add(ROOT.relativize(source) + " names " + page));
        }
        assertThat(missing).isEmpty();
    }

    @Test
    @DisplayName("the index of a folder of docs has a link to each page of it, and that of docs to the other indices")
    void indicesAreComplete() throws IOException {
        List<Path> folders = List.of(DOCS, DOCS.resolve("observing"), DECISIONS);
        try (Stream<Path> content = Files.list(DOCS)) {
            assertThat(content.filter(Files::isDirectory)).isSubsetOf(folders);
        }
        for (Path folder : folders) {
            assertThat(links(folder.resolve("README.md")))
                    .as(folder.getFileName().toString())
                    .containsAll(pages(folder));
        }
        assertThat(links(ROOT.resolve("README.md"))).contains("docs/README.md");
        assertThat(links(DOCS.resolve("README.md"))).contains("observing/README.md", "decisions/README.md");
    }

    @Test
    @DisplayName("each decision has the five headings of the template, in their order")
    void decisionsHaveTheirSections() throws IOException {
        List<String> pages = pages(DECISIONS);
        assertThat(pages).hasSizeGreaterThan(15);
        for (String page : pages) {
            List<String> sections = Files.readString(DECISIONS.resolve(page))
                    .lines()
                    .filter(line -> line.startsWith("## "))
                    .map(line -> line.substring(3))
                    .toList();
            assertThat(sections).as(page).isEqualTo(SECTIONS);
        }
    }

    @Test
    @DisplayName("a heading has the anchor that a renderer gives it")
    void anchorsAreThoseOfHeadings() {
        assertThat(anchor("What `--stall` does: a look, or two")).isEqualTo("what---stall-does-a-look-or-two");
        assertThat(anchor("Work on the members' memory")).isEqualTo("work-on-the-members-memory");
        assertThat(anchor("[GPUs](gpu.md) and hosts")).isEqualTo("gpus-and-hosts");
    }

    private boolean exists(Path page, String target) throws IOException {
        int hash = target.indexOf('#');
        String path = hash < 0 ? target : target.substring(0, hash);
        Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
        return Files.exists(file) && (hash < 0 || anchors(file).contains(target.substring(hash + 1)));
    }

    private Set<String> anchors(Path page) throws IOException {
        Set<String> known = anchors.get(page);
        if (known == null) {
            known = new HashSet<>();
            for (MatchResult heading : HEADING.matcher(prose(page)).results().toList()) {
                String anchor = anchor(heading.group(1));
                for (int i = 1; !known.add(anchor); i++) {
                    anchor = anchor(heading.group(1)) + "-" + i;
                }
            }
            anchors.put(page, known);
        }
        return known;
    }

    private static String anchor(String heading) {
        return heading.strip()
                .replaceAll("\\]\\([^)]*\\)", "]")
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /// Returns the targets of the links of a page, those into the web left out.
    private static List<String> links(Path page) throws IOException {
        return LINK.matcher(prose(page).replaceAll("`[^`\n]*`", "`…`"))
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.contains("://"))
                .toList();
    }

    private static String prose(Path page) throws IOException {
        return CODE.matcher(Files.readString(page)).replaceAll("");
    }

    private static List<String> pages(Path folder) throws IOException {
        try (Stream<Path> pages = Files.list(folder)) {
            return pages.map(page -> page.getFileName().toString())
                    .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                    .filter(name -> !name.startsWith("0000"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> files(String... endings) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> {
                        String path = ROOT.relativize(file).toString().replace('\\', '/');
                        return !path.contains("target/")
                                && !path.startsWith(".")
                                && Stream.of(endings).anyMatch(path::endsWith);
                    })
                    .sorted()
                    .toList();
        }
    }
}
