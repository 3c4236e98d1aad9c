// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The memory by which UCX passes bytes between processes of one machine.
@NeedsTools(Tool.UCX)
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class UcxSegmentsIT {
    private static String output(String transports) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        SegmentsProgram.class.getName()))
                .redirectErrorStream(true);
        builder.environment().remove("UCX_TLS");
        if (!transports.isEmpty()) {
            builder.environment().put("UCX_TLS", transports);
        }
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    @Test
    @DisplayName("unless the user names transports, no segment and no file of a PE can be opened by other users")
    void modes() throws Exception {
        assertThat(output(""))
                .contains("words 0", "file of its owner")
                .doesNotContain("sysv mode")
                .doesNotContain("open to others");
    }

    @Test
    @DisplayName("the transports that a user names are used as they are")
    void named() throws Exception {
        assertThat(output("sysv,tcp,self")).contains("words 0", "660");
    }
}
