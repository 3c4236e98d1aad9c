// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The projects that `dist/try-artefacts` builds from what is published: here, that they compile at all.
class ConsumerProjectsTest {
    @TempDir
    private Path classes;

    @ParameterizedTest
    @ValueSource(strings = {"project", "modules", "single"})
    @DisplayName("the consumers' projects compile")
    void compiles(String project) throws Exception {
        Path core = Path.of(
                World.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> words = new ArrayList<>(List.of("-proc:none", "-d", classes.toString(), "-cp"));
        words.add(core + File.pathSeparator + System.getProperty("java.class.path"));
        try (Stream<Path> files = Files.walk(ProgramRun.EXAMPLES.resolveSibling("dist/consumers/" + project))) {
            files.map(Path::toString)
                    .filter(file -> file.endsWith(".java") && !file.endsWith("module-info.java"))
                    .forEach(words::add);
        }
        assertThat(words).last().asString().endsWith(".java");

        var complaints = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, complaints, words.toArray(String[]::new));
        assertThat(code).as(() -> complaints.toString(UTF_8)).isZero();
    }
}
