// SPDX-License-Identifier: Apache-2.0

package coterie.internal.launch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Conduit;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which modules of a program may call foreign functions. The JVM prints four lines for each that may not and does.
class PlugInAccessTest {
    @TempDir
    private Path folder;

    /// Makes a jar with a conduit that plugs in, which is an automatic module.
    private Path conduit() throws Exception {
        Path jar = folder.resolve("wires.jar");
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file)) {
            out.putNextEntry(new JarEntry("wires/Wires.class"));
            out.putNextEntry(new JarEntry("META-INF/services/" + Conduit.Provider.class.getName()));
            out.write("wires.Wires\n".getBytes(UTF_8));
        }
        return jar;
    }

    private String access(boolean isAcrossHosts) throws Exception {
        JobSpec.Program program = new JobSpec.Program("my.Main", null, List.of(), List.of(conduit()), List.of());
        JobSpec spec = JobSpec.of("job", 2, program);
        return (isAcrossHosts ? JavaCommand.acrossHosts(spec, "UTF-8") : new JavaCommand(spec, "UTF-8", false))
                .ofPe(0).stream()
                        .filter(word -> word.startsWith("--enable-native-access="))
                        .findFirst()
                        .orElseThrow();
    }

    @Test
    @DisplayName("PEs that an agent starts let conduits that plug in call foreign functions, since auto may choose one")
    void acrossHosts() throws Exception {
        assertThat(access(true)).isEqualTo("--enable-native-access=coterie,wires,ALL-UNNAMED");
    }

    @Test
    @DisplayName("PEs of one host, which use the runtime's own conduit, name none")
    void oneHost() throws Exception {
        assertThat(access(false)).isEqualTo("--enable-native-access=coterie,ALL-UNNAMED");
    }
}
