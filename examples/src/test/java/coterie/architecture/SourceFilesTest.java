// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SourceFilesTest {

    private static final String HEADER = "// SPDX-License-Identifier: Apache-2.0";
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git", ".idea", ".mvn");

    private static List<Path> sources;

    @BeforeAll
    static void findThem() throws IOException {
        sources = find(root());
    }

    @Test
    @DisplayName("there are sources in every module")
    void findsSources() {
        assertThat(sources)
                .extracting(path -> root().relativize(path).getName(0).toString())
                .contains("core", "launch", "cli", "junit", "bench", "examples");
    }

    @Test
    @DisplayName("every Java file begins with the SPDX line, after a #! line if it has one")
    void everySourceNamesItsLicence() {
        assertThat(sources).filteredOn(path -> !header(path).equals(HEADER)).isEmpty();
    }

    @Test
    @DisplayName("files stay under 500 lines")
    void filesStayReadable() {
        assertThat(sources).filteredOn(path -> lines(path).size() > 500).isEmpty();
    }

    @Test
    @DisplayName("simple names are unique, tests included, but for programs of one file")
    void namesAreUnique() {
        Set<String> many = Set.of("package-info.java", "module-info.java");
        Set<Path> programs = Set.of(root().resolve("examples"), root().resolve("bench/programs"));
        assertThat(sources)
                .filteredOn(
                        path -> !many.contains(path.getFileName().toString()) && !programs.contains(path.getParent()))
                .extracting(path -> path.getFileName().toString())
                .doesNotHaveDuplicates();
    }

    private static String header(Path source) {
        List<String> lines = lines(source);
        int first = !lines.isEmpty() && lines.getFirst().startsWith("#!") ? 1 : 0;
        return lines.size() > first ? lines.get(first) : "";
    }

    private static List<String> lines(Path source) {
        try {
            return Files.readAllLines(source);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Path> find(Path root) throws IOException {
        var found = new ArrayList<Path>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_SOURCES.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".java")) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }

    /// The folder above this module's; Maven and IDEs start tests in the module's.
    static Path root() {
        return Path.of("").toAbsolutePath().getParent();
    }
}
