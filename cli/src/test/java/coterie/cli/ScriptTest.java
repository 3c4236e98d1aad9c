// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script where it need not build; [ScriptIT] has the rest.
class ScriptTest {
    @TempDir
    private Path folder;

    @Test
    @DisplayName("an unsuitable JDK is named, with exit code 127")
    void noJdk() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(Path.of("../coterie").toString(), "--version");
        builder.environment().put("COTERIE_JAVA_HOME", folder.toString());
        Process process = builder.redirectErrorStream(true).start();
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8))
                .isEqualTo("coterie: COTERIE_JAVA_HOME is " + folder + ", which is no JDK 25 or newer\n");
        assertThat(process.waitFor()).isEqualTo(127);
    }
}
