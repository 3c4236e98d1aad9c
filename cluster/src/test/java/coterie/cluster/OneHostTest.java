// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Jobs of one host that Coterie's launcher has not started need no network: their PEs map each other's memory, and
/// only the coordinator listens, on the loopback address.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class OneHostTest extends OneHostCase {
    @TempDir
    private Path folder;

    private Map<String, String> step(int pe, int size) {
        return Map.of(
                "SLURM_PROCID",
                Integer.toString(pe),
                "SLURM_STEP_NUM_TASKS",
                Integer.toString(size),
                "SLURM_STEP_NUM_NODES",
                "1",
                "SLURM_JOB_ID",
                "4712",
                "SLURM_STEP_ID",
                "0",
                "SLURM_SUBMIT_DIR",
                folder.toString());
    }

    @Test
    @DisplayName("PEs with the variables of srun open nothing but the coordinator of PE 0, to the loopback address")
    void slurmVariables() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int pe = 0; pe < 3; pe++) {
            processes.add(BootstrapCase.start(step(pe, 3), java()));
        }
        StringBuilder all = new StringBuilder();
        for (Process each : processes) {
            all.append(BootstrapCase.output(each, 0));
        }
        assertOpens(all.toString(), 3, COORDINATOR);
    }

    @Test
    @DisplayName("PEs of a host program open nothing, and its coordinator listens on the loopback address")
    void hostProgram() throws Exception {
        try (JobCoordinator coordinator = JobCoordinator.open(
                JobCoordinator.Options.of(2, InetAddress.getLoopbackAddress()), new JobCoordinator.Listener() {})) {
            Path file = folder.resolve("job.key");
            coordinator.key().write(file);
            assertThat(coordinator.key().address().getAddress().isLoopbackAddress())
                    .isTrue();
            Map<String, String> environment = Map.of("COTERIE_JOB_KEY", file.toString());
            Process one = BootstrapCase.start(environment, java());
            Process two = BootstrapCase.start(environment, java());
            assertOpens(BootstrapCase.output(one, 0) + BootstrapCase.output(two, 0), 2, NOTHING);
        }
    }

    @Test
    @DisplayName("PEs that select different conduits are told so, and none waits for ever")
    void differentSettings() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int pe = 0; pe < 2; pe++) {
            Map<String, String> environment = new HashMap<>(step(pe, 2));
            environment.put("COTERIE_CONDUIT", pe == 0 ? "mapped" : "loopback");
            processes.add(BootstrapCase.start(environment, java()));
        }
        assertThat(BootstrapCase.output(processes.get(0), 1))
                .contains("they select mapped on PE 0, but another conduit on PE 1; set the same values on all PEs");
        assertThat(BootstrapCase.output(processes.get(1), 1))
                .contains("it selects loopback on PE 1, but another conduit on the PE that has joined first");
    }

    @Test
    @DisplayName("a job that encrypts refuses a conduit that can't, by name and in auto, with the setting")
    void encryption() throws Exception {
        for (String conduit : new String[] {"loopback", "auto"}) {
            Map<String, String> environment = new HashMap<>(step(0, 1));
            environment.put("COTERIE_CONDUIT", conduit);
            environment.put("COTERIE_LOAD_STORE", "false");
            environment.put("COTERIE_ENCRYPTION", "tls");
            assertThat(BootstrapCase.output(BootstrapCase.start(environment, java()), 1))
                    .contains(
                            "\"" + conduit + "\" gives no usable conduit",
                            "loopback: it can't encrypt what it sends, as the setting ENCRYPTION=tls");
        }
    }

    @Test
    @DisplayName("LOAD_STORE=false, or nodes that users tell apart, leave mapped memory out, with the reason")
    void refused() throws Exception {
        Map<String, String> environment = new HashMap<>(step(0, 1));
        environment.put("COTERIE_CONDUIT", "mapped");
        environment.put("COTERIE_LOAD_STORE", "false");
        assertThat(BootstrapCase.output(BootstrapCase.start(environment, java()), 1))
                .contains("\"mapped\" gives no usable conduit: mapped: the setting LOAD_STORE forbids it");
        List<Process> processes = new ArrayList<>();
        for (int pe = 0; pe < 2; pe++) {
            Map<String, String> apart = new HashMap<>(step(pe, 2));
            apart.put("COTERIE_CONDUIT", "mapped");
            apart.put("COTERIE_NODE", "node-" + pe);
            processes.add(BootstrapCase.start(apart, java()));
        }
        for (Process each : processes) {
            assertThat(BootstrapCase.output(each, 1)).contains("mapped: the PEs of the job are on several nodes");
        }
    }
}
