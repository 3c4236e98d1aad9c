// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of one host under launchers of MPI, with the UCX of the machine within reach.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OneHostIT extends OneHostCase {
    @TempDir
    private Path folder;

    @Test
    @NeedsTools({Tool.PMIX, Tool.MPIRUN})
    @DisplayName("PEs under mpirun open nothing but the coordinator of PE 0, to the loopback address")
    void mpirun() throws Exception {
        List<String> command = new ArrayList<>(List.of("mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3"));
        command.addAll(java());
        assertOpens(BootstrapCase.output(BootstrapCase.start(Map.of(), command), 0), 3, COORDINATOR);
    }

    @Test
    @NeedsTools({Tool.PMIX, Tool.PRTE})
    @DisplayName("PEs under prun open nothing but the coordinator of PE 0, to the loopback address")
    void prun() throws Exception {
        Path address = folder.resolve("address");
        Process machine = BootstrapCase.start(
                Map.of(),
                List.of("prte", "--allow-run-as-root", "--host", "localhost:4", "--report-uri", address.toString()));
        try {
            assertThat(machine.inputReader(UTF_8).readLine()).contains("DVM ready");
            List<String> command = new ArrayList<>(List.of("prun", "--allow-run-as-root", "--dvm-uri"));
            command.addAll(List.of("file:" + address, "--bind-to", "none", "-n", "3"));
            command.addAll(java());
            assertOpens(BootstrapCase.output(BootstrapCase.start(Map.of(), command), 0), 3, COORDINATOR);
        } finally {
            machine.destroy();
            machine.waitFor();
        }
    }

    @Test
    @NeedsTools(Tool.MPICH)
    @DisplayName("PEs under MPICH's mpiexec, which is no PMIx, join by a key file and open nothing")
    void mpich() throws Exception {
        try (JobCoordinator coordinator = JobCoordinator.open(
                JobCoordinator.Options.of(3, InetAddress.getLoopbackAddress()), new JobCoordinator.Listener() {})) {
            Path file = folder.resolve("job.key");
            coordinator.key().write(file);
            List<String> command = new ArrayList<>(List.of("mpiexec.hydra", "-n", "3"));
            command.addAll(java());
            Process job = BootstrapCase.start(Map.of("COTERIE_JOB_KEY", file.toString()), command);
            assertOpens(BootstrapCase.output(job, 0), 3, NOTHING);
        }
    }
}
