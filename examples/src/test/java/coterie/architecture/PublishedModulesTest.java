// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a release publishes, as far as sources tell; `dist/try-artefacts` tries the rest.
class PublishedModulesTest {
    private static final Pattern MODULE = Pattern.compile("<module>(.*?)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("</parent>\\s*<artifactId>(.*?)</artifactId>");
    private static final Pattern MANAGED = Pattern.compile("<artifactId>(coterie(?:-\\w+)?)</artifactId>");
    private static final Pattern LAST_RELEASE = Pattern.compile("-Dcoterie\\.lastRelease=(\\S+)");
    private static final Pattern REVISION = Pattern.compile("<revision>(.*?)(?:-SNAPSHOT)?</revision>");
    private static final Pattern NAMED = Pattern.compile(
            "(?:io\\.github\\.coterie:coterie[-\\w]*:|coterieVersion(?:>|\"\\)\\.getOrElse\\(\"))(\\d[^\"<\\s`)]*)");

    @Test
    @DisplayName("the BOM has the modules that are deployed, and no other")
    void bom() throws IOException {
        String managed = read("bom/pom.xml").replaceFirst("(?s)^.*?<dependencyManagement>", "");
        assertThat(all(MANAGED, managed)).containsExactlyInAnyOrderElementsOf(deployed());
    }

    @Test
    @DisplayName("each deployed module has a name and a description of its own")
    void described() throws IOException {
        for (String module : modules()) {
            assertThat(read(module + "/pom.xml")).as(module).contains("<name>", "<description>");
        }
    }

    @Test
    @DisplayName("consumers' projects and the page for them name one version: the last release, or the next one")
    void versions() throws IOException {
        List<String> right = new ArrayList<>(all(LAST_RELEASE, read(".mvn/maven.config", "")));
        // The commit of a release, and all commits before the first one.
        right.addAll(all(REVISION, read("pom.xml")));
        List<String> named = new ArrayList<>(all(NAMED, read("docs/installing.md")));
        try (Stream<Path> files = Files.walk(root().resolve("dist/consumers"))) {
            files.filter(Files::isRegularFile)
                    .filter(file -> file.toString().matches(".*(pom\\.xml|\\.kts|PairSum\\.java)"))
                    .forEach(file -> named.addAll(all(NAMED, read(file))));
        }
        assertThat(named).hasSizeGreaterThan(5).containsOnly(named.getFirst());
        assertThat(right).contains(named.getFirst());
        String version = read(".mvn/maven.config", "")
                .lines()
                .filter(line -> line.startsWith("-Drevision="))
                .collect(Collectors.joining());
        assertThat(read("pom.xml")).contains("<revision>" + version.replace("-Drevision=", "") + "</revision>");
        assertThat(read("README.md")).contains("<version>" + named.getFirst() + "</version>");
    }

    private static List<String> deployed() throws IOException {
        List<String> artifacts = new ArrayList<>();
        for (String module : modules()) {
            String pom = read(module + "/pom.xml");
            if (!pom.contains("<maven.deploy.skip>true") && !module.equals("bom")) {
                artifacts.addAll(all(ARTIFACT, pom));
            }
        }
        return artifacts;
    }

    private static List<String> modules() throws IOException {
        return all(MODULE, read("pom.xml"));
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();
    }

    private static String read(String path, String absent) throws IOException {
        return Files.exists(root().resolve(path)) ? read(path) : absent;
    }

    private static String read(String path) throws IOException {
        return Files.readString(root().resolve(path));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        return SourceFilesTest.root();
    }
}
