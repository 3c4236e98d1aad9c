// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Agents of `coterie run --hosts` that stand still, as on a host that hangs: real silences.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StoppedAgentIT {
    private static final String SILENT = "the agent of host 127.0.0.1 has sent nothing for 1000 ms";

    @TempDir
    private Path folder;

    /// Starts PEs 0 and 1 on one host and PE 2 on another, with a bound of 1 s.
    private HostsRun start(Path shell, String onFailure, String... arguments) throws Exception {
        List<String> words =
                List.of("--hosts", "localhost:2,127.0.0.1:1", "--ssh", shell.toString(), "--on-failure", onFailure);
        return new HostsRun(folder, List.of("env", "COTERIE_LINK_TIMEOUT_S=1"), words, arguments);
    }

    /// Returns the agent that has started a process.
    private static long agentOf(long pid) {
        return ProcessHandle.of(pid).orElseThrow().parent().orElseThrow().pid();
    }

    private static long pidOf(List<String> up, int pe) {
        return up.stream()
                .filter(line -> line.contains("PE " + pe + " up"))
                .mapToLong(HostsRun::pid)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @DisplayName("an agent that stands still fails its PEs by name, and the job ends with 125 as after any failure")
    void endsJob() throws Exception {
        try (HostsRun run = start(HostsRun.shell(folder), "end", "wait")) {
            List<String> up = run.awaitLines(".*PE [0-9] up [0-9]+", 3);
            HostsRun.signal("STOP", agentOf(pidOf(up, 2)));
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
            assertThat(run.err()).contains("PE 2 has failed: " + SILENT);
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("survivors learn why the PEs of the agent failed, and the job ends when they do")
    void survivors() throws Exception {
        try (HostsRun run = start(HostsRun.shell(folder), "continue", "survive")) {
            List<String> up = run.awaitLines(".*PE [0-9] up [0-9]+", 3);
            HostsRun.signal("STOP", agentOf(pidOf(up, 2)));
            List<String> lines = new ArrayList<>();
            run.await(lines);
            assertThat(lines)
                    .as(run.err())
                    .filteredOn(line -> line.contains(" lost [2] after ") && line.contains(SILENT))
                    .hasSize(2);
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("the job ends although the agent stays; when it goes on, it ends with its PEs")
    void remoteShellInBetween() throws Exception {
        Path shell = Files.writeString(folder.resolve("between"), "#!/bin/sh\nshift\nsh -c \"$*; exit $?\"\nexit $?\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        try (HostsRun run = start(shell, "end", "wait")) {
            List<String> up = run.awaitLines(".*PE [0-9] up [0-9]+", 3);
            long agent = agentOf(pidOf(up, 2));
            HostsRun.signal("STOP", agent);
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
            assertThat(run.err()).contains("PE 2 has failed: " + SILENT);
            HostsRun.signal("CONT", agent);
            run.awaitNothing();
        }
    }
}
