// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.PeState;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Processes of [HostProgram].
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HostProcessesTest extends HostedCase {
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void endProcesses() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                HostProgram.class.getName()));
        command.addAll(List.of(arguments));
        Process process = BootstrapCase.start(Map.of(), command);
        processes.add(process);
        return process;
    }

    private Process start(JobCoordinator coordinator, int from, int to) throws Exception {
        Process process = start("work", Integer.toString(from), Integer.toString(to));
        process.outputWriter(UTF_8).append(coordinator.key().text()).close();
        return process;
    }

    private static String await(BufferedReader output, String begin) throws Exception {
        String line = output.readLine();
        while (line != null && !line.startsWith(begin)) {
            line = output.readLine();
        }
        return String.valueOf(line);
    }

    @Test
    @DisplayName("the PEs of two processes map each other's memory; those of one go on when signal 9 ends the other")
    void kill() throws Exception {
        try (JobCoordinator coordinator = open(3)) {
            Process two = start(coordinator, 0, 2);
            Process one = start(coordinator, 2, 3);
            assertThat(await(one.inputReader(UTF_8), "PE 2 got")).isEqualTo("PE 2 got 101 shares with 3");
            one.destroyForcibly();
            String output = BootstrapCase.output(two, 0);
            assertThat(output.lines())
                    .contains(
                            "PE 0 got 102 shares with 3",
                            "PE 1 got 100 shares with 3",
                            "PE 0 lost [2]",
                            "PE 1 lost [2]",
                            "the process lives");
            assertThat(coordinator.awaitEnd().pes())
                    .extracting(PeExit::state)
                    .containsExactly(PeState.ENDED, PeState.ENDED, PeState.FAILED);
        }
    }

    @Test
    @DisplayName("a hundred jobs leave no thread, hook, handler, socket, file or mapping in their process")
    void leftovers() throws Exception {
        String output = BootstrapCase.output(start("jobs"), 0);
        assertThat(output.lines())
                .containsExactly(
                        "hooks 0, sockets 0, ports [], files [], handlers true",
                        "joined [0, 0]",
                        "addresses are given back");
    }
}
