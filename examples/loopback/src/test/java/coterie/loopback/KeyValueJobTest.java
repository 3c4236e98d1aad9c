// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Jobs that no launcher of Coterie has started: three processes that know each other through a key-value server
/// alone, over loopback sockets.
class KeyValueJobTest {
    private static final int PES = 3;

    private static List<String> outputs(KeyValueServer started, String... args)
            throws IOException, InterruptedException {
        List<String> outputs = new ArrayList<>();
        try (KeyValueServer server = started) {
            List<Process> processes = new ArrayList<>();
            for (int pe = 0; pe < PES; pe++) {
                List<String> command = new ArrayList<>(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx64m",
                        "-D" + KeyValueBootstrap.PORT + "=" + server.port(),
                        "-D" + KeyValueBootstrap.PE + "=" + pe,
                        "-D" + KeyValueBootstrap.SIZE + "=" + PES,
                        "-cp",
                        System.getProperty("java.class.path"),
                        KeyValueProgram.class.getName()));
                command.addAll(List.of(args));
                ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
                builder.environment().keySet().removeIf(name -> name.startsWith("COTERIE_"));
                processes.add(builder.start());
            }
            for (Process process : processes) {
                outputs.add(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
                assertThat(process.waitFor()).as(outputs.getLast()).isZero();
            }
        }
        return outputs;
    }

    @Test
    @DisplayName("processes without a launcher join by a bootstrap that plugs in, choose the conduit that can serve"
            + " them, and open one world after another")
    void jobsNeedNoLauncher() throws Exception {
        List<String> outputs = outputs(new KeyValueServer(PES));
        for (int pe = 0; pe < PES; pe++) {
            String line = "left " + (100 + (pe + PES - 1) % PES) + ", sum 6, shared 1";
            assertThat(outputs.get(pe).lines()).containsExactly(line, line, "all well");
        }
    }

    @Test
    @DisplayName("when a process without a launcher ends inside its world, its peers' waits end with its number")
    void failuresTravel() throws Exception {
        List<String> outputs = outputs(new KeyValueServer(PES), "fail");
        for (int pe = 0; pe < PES; pe += 2) {
            assertThat(outputs.get(pe)).contains("failed [1]: ", "barrier", "PE 1 failed (");
        }
    }

    @Test
    @DisplayName("a conduit that has lost a peer reports it, and the waits of its PE end with the peer's number and the"
            + " conduit's reason")
    void conduitsReportFailures() throws Exception {
        List<String> outputs = outputs(new KeyValueServer(PES).withoutDetector(), "fail");
        for (int pe = 0; pe < PES; pe += 2) {
            assertThat(outputs.get(pe)).contains("failed [1]: ", "barrier", "PE 1 failed (");
        }
        assertThat(String.join("", outputs)).contains("its loopback connection broke");
    }
}
