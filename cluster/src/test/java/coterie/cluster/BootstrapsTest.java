// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import coterie.ThreadLevel;
import coterie.spi.Bootstrap;
import coterie.spi.BootstrapContext;
import coterie.spi.PeJob;
import coterie.spi.SettingsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Processes that no launcher of Coterie has started join one job: by a key, by the variables of Slurm.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class BootstrapsTest extends BootstrapCase {
    private static final BootstrapContext NO_SETTINGS = new BootstrapContext() {
        @Override
        public String setting(String name) {
            return "";
        }

        @Override
        public long defaultHeapBytes(int pes) {
            return 1 << 20;
        }
    };

    @TempDir
    private Path folder;

    private List<Process> slurm(int size, String... arguments) throws IOException {
        List<Process> processes = new ArrayList<>();
        for (int pe = 0; pe < size; pe++) {
            Map<String, String> environment = Map.of(
                    "SLURM_PROCID", Integer.toString(pe),
                    "SLURM_NTASKS", Integer.toString(size),
                    "SLURM_STEP_NUM_TASKS", Integer.toString(size),
                    "SLURM_STEP_NUM_NODES", "1",
                    "SLURM_STEP_TASKS_PER_NODE", Integer.toString(size),
                    "SLURM_LOCALID", Integer.toString(pe),
                    "SLURM_JOB_ID", "4711",
                    "SLURM_STEP_ID", "2",
                    "SLURM_JOB_NODELIST", "localhost",
                    "SLURM_SUBMIT_DIR", folder.toString());
            processes.add(start(environment, java(arguments)));
        }
        return processes;
    }

    @Test
    @DisplayName("processes with the variables of srun are one job; the file with the key disappears")
    void slurmVariables() throws Exception {
        List<Process> processes = slurm(3);
        for (int pe = 0; pe < 3; pe++) {
            assertExchanged(output(processes.get(pe), 0), pe, 3);
        }
        try (var files = Files.list(folder)) {
            assertThat(files).isEmpty();
        }
    }

    @Test
    @DisplayName("the process of PE 0, which has the coordinator, ends after the others")
    void hostEndsLast() throws Exception {
        List<Process> processes = slurm(3, late(folder));
        Process zero = processes.getFirst();
        String output = readUntil(zero, "PE 0 is done");
        for (int pe : new int[] {2, 1}) {
            assertThat(zero.isAlive())
                    .as("PE 0, which has the coordinator of PE %d", pe)
                    .isTrue();
            processes.get(pe).getOutputStream().close();
            assertExchanged(output(processes.get(pe), 0), pe, 3);
        }
        assertExchanged(output + output(zero, 0), 0, 3);
    }

    @Test
    @DisplayName("the end of a PE without a launcher is a failure for the others, and an abort ends all processes")
    void failures() throws Exception {
        List<Process> processes = slurm(3, "fail");
        assertThat(output(processes.get(0), 0)).contains("PE 0 lost [1]");
        assertThat(output(processes.get(2), 0)).contains("PE 2 lost [1]");
        output(processes.get(1), 3);
        List<Process> aborted = slurm(3, "abort");
        for (Process each : aborted) {
            output(each, 9);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = ThreadLevel.class,
            names = {"SINGLE", "MULTIPLE"})
    @DisplayName("a world that is open when main returns is closed: the others' memory stays until the last PE is done")
    void mainReturns(ThreadLevel level) throws Exception {
        List<Process> processes = slurm(3, "return", level.name());
        Process slow = processes.get(1);
        for (int pe : new int[] {0, 2}) {
            String done = "PE " + pe + " is done";
            assertThat(readUntil(processes.get(pe), done)).endsWith(done);
        }
        if (Boolean.getBoolean("coterie.soak")) {
            assertThat(processes.get(0).waitFor(3, TimeUnit.SECONDS)).isFalse();
        }
        assertThat(processes.get(0).isAlive()).isTrue();
        assertThat(processes.get(2).isAlive()).isTrue();
        slow.getOutputStream().close();
        assertThat(output(slow, 0).lines()).contains("PE 1 got 10", "PE 1 got 11", "PE 1 got 12", "PE 1 is done");
        output(processes.get(0), 0);
        output(processes.get(2), 0);
    }

    private static String readUntil(Process process, String last) throws IOException {
        StringBuilder output = new StringBuilder();
        String line;
        do {
            line = process.inputReader(UTF_8).readLine();
            output.append(line).append('\n');
        } while (line != null && !line.equals(last));
        return output.toString().strip();
    }

    @Test
    @DisplayName("main that throws leaves its world open: the PE has failed; those that handle that end well")
    void mainThrows() throws Exception {
        List<Process> processes = slurm(3, "throw");
        assertThat(output(processes.get(1), 1)).contains("Exception in thread \"main\"", "on purpose");
        for (int pe : new int[] {0, 2}) {
            assertThat(output(processes.get(pe), 0).lines())
                    .contains("PE " + pe + " lost [1]", "PE " + pe + " is done");
        }
    }

    @Test
    @DisplayName("main that returns while the others are in a collective is a mismatch, which names the close")
    void mainReturnsEarly() throws Exception {
        List<Process> processes = slurm(3, "early");
        String difference = "PEs 0, 2 barrier, PE 1 close of the world";
        for (int pe : new int[] {0, 2}) {
            assertThat(output(processes.get(pe), 0)).contains("differs: ", difference, "PE " + pe + " is done");
        }
        assertThat(output(processes.get(1), 1)).contains(difference);
    }

    @Test
    @DisplayName("each PE of several nodes refuses a loopback address at once, and waits for no other PE")
    void loopbackAddress() {
        SlurmBootstrap slurm = slurm(stepOfTwo(2));
        slurm.configure(NO_SETTINGS); // no address is the loopback address
        assertThatThrownBy(slurm::join).hasMessageContaining("PEs on 2 nodes").hasMessageContaining("COTERIE_LISTEN");
    }

    /// The variables of PE 1 of two.
    private Map<String, String> stepOfTwo(int nodes) {
        return Map.of(
                "SLURM_PROCID", "1",
                "SLURM_STEP_NUM_TASKS", "2",
                "SLURM_STEP_NUM_NODES", Integer.toString(nodes),
                "SLURM_JOB_ID", "7",
                "SLURM_STEP_ID", "0",
                "SLURM_SUBMIT_DIR", folder.toString());
    }

    private static SlurmBootstrap slurm(Map<String, String> environment) {
        return new SlurmBootstrap(environment, JobClock.SYSTEM);
    }

    @Test
    @DisplayName("a PE waits for the key of PE 0 for the time of a join, and names the folder then")
    void keyIsNotWritten() throws Exception {
        ManualClock clock = new ManualClock();
        SlurmBootstrap slurm = new SlurmBootstrap(stepOfTwo(1), clock);
        slurm.configure(new BootstrapContext() {
            @Override
            public String setting(String name) {
                return name.equals("JOIN_TIMEOUT_S") ? "300" : "";
            }

            @Override
            public long defaultHeapBytes(int pes) {
                return 1 << 20;
            }
        });
        FutureTask<PeJob> joining = new FutureTask<>(slurm::join);
        Thread.ofPlatform().daemon().start(joining);
        clock.awaitLooks(joining);
        clock.advance(Duration.ofMinutes(5));
        clock.awaitLooks(joining);
        assertThat(joining.isDone()).isFalse();
        clock.advance(Duration.ofSeconds(1));
        assertThatThrownBy(() -> TestJob.get(joining)).hasMessageContainingAll("within 300 s", "COTERIE_KEY_FOLDER");
    }

    @Test
    @DisplayName("a host program has the coordinator: its processes join by a key file or by a key on standard input")
    void hostProgram() throws Exception {
        try (JobCoordinator coordinator = JobCoordinator.open(
                JobCoordinator.Options.of(3, InetAddress.getLoopbackAddress()), new JobCoordinator.Listener() {})) {
            Path file = folder.resolve("job.key");
            coordinator.key().write(file);
            Process one = start(Map.of("COTERIE_JOB_KEY", file.toString()), java());
            Process two = start(Map.of("COTERIE_JOB_KEY", file.toString()), java());
            Process input = start(Map.of("COTERIE_JOB_KEY", "-"), java());
            input.getOutputStream().write(coordinator.key().text().getBytes(UTF_8));
            input.getOutputStream().close();
            String all = output(one, 0) + output(input, 0) + output(two, 0);
            for (int pe = 0; pe < 3; pe++) {
                assertExchanged(all, pe, 3);
            }
        }
    }

    @Test
    @DisplayName("each bootstrap says why it refuses a process, and what is missing")
    void refusals() {
        assertThat(refusal(new KeyBootstrap(Map.of()))).contains("COTERIE_JOB_KEY");
        assertThat(refusal(new PmixBootstrap(Map.of(), PmixLibrary.NAME))).contains("PMIX_NAMESPACE is not set");
        Map<String, String> pmix = Map.of("PMIX_NAMESPACE", "a", "PMIX_RANK", "0");
        assertThat(refusal(new PmixBootstrap(pmix, "libnotthere.so.9")))
                .contains("libnotthere.so.9 can't be loaded; install libpmix2 (Debian)");
        assertThat(refusal(slurm(Map.of()))).contains("SLURM_PROCID is not set");
        assertThat(refusal(slurm(Map.of("SLURM_PROCID", "0", "SLURM_NTASKS", "4", "SLURM_JOB_ID", "7"))))
                .as("the shell of a batch job")
                .contains("SLURM_STEP_NUM_TASKS is not set");
    }

    private static String refusal(Bootstrap bootstrap) {
        bootstrap.configure(NO_SETTINGS);
        Optional<String> refusal = bootstrap.refusal();
        return refusal.orElse("");
    }

    @Test
    @DisplayName("a join that asks for one bootstrap fails with its reason")
    void askedFor() throws Exception {
        assertThat(output(start(Map.of("COTERIE_BOOTSTRAP", "slurm"), java()), 1))
                .contains(
                        "setting BOOTSTRAP (from COTERIE_BOOTSTRAP): it refuses this process: slurm: ", "SLURM_PROCID");
        assertThat(output(start(Map.of("COTERIE_BOOTSTRAP", "mpi"), java()), 1))
                .contains("there is no bootstrap \"mpi\"; allowed: auto, none, env, key, pmix, slurm");
    }

    @Test
    @DisplayName("a secret without the rest of a job is an error, and no job of its own")
    void halfAJob() throws Exception {
        Map<String, String> half = Map.of("COTERIE_SECRET_FILE", "/none", "COTERIE_PE", "0");
        assertThat(output(start(half, java()), 1)).contains("join by env: neither COTERIE_SIZE nor");
        assertThat(output(start(half, java("answers")), 0).lines())
                .as("what 'coterie info' prints")
                .anyMatch(line -> line.startsWith("env: a join fails: join by env: neither COTERIE_SIZE nor"))
                .anyMatch(line -> line.startsWith("slurm: the environment variable"));
    }

    @Test
    @DisplayName("the module and META-INF/services declare the same bootstraps and settings")
    void declaredTwice() throws Exception {
        Path classes = Path.of(KeyBootstrap.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module;
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(file);
        }
        Path services = classes.resolve("META-INF/services");
        String bootstrap = Bootstrap.class.getName();
        String settings = SettingsProvider.class.getName();
        assertThat(module.provides())
                .extracting(ModuleDescriptor.Provides::service, ModuleDescriptor.Provides::providers)
                .containsExactlyInAnyOrder(
                        tuple(bootstrap, Files.readAllLines(services.resolve(bootstrap))),
                        tuple(settings, Files.readAllLines(services.resolve(settings))));
    }
}
