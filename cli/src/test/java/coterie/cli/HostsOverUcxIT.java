// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.SystemInfo;
import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.SoakBound;
import coterie.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs over UCX and TCP, on hosts that are network namespaces. No test names the conduit where `auto` must find it.
@NeedsTools({Tool.UCX, Tool.NETWORK_NAMESPACES})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostsOverUcxIT {
    private static final int KILLS = Boolean.getBoolean("coterie.soak") ? 60 : 3;
    private static final int BOUND_S = 2;
    private static final String ENVIRONMENT = "UCX_TLS=tcp,self";

    @TempDir
    private Path folder;

    private HostsRun start(NetworkNamespaces network, String failure, String... arguments) throws Exception {
        return HostsRun.over(
                network,
                folder,
                List.of("COTERIE_LINK_TIMEOUT_S=" + BOUND_S, "COTERIE_CONDUIT=auto"),
                List.of("--on-failure", failure, "--env", ENVIRONMENT),
                arguments);
    }

    private static void assertRight(List<String> lines, int pes, String err) {
        List<String> expected = new ArrayList<>();
        for (int pe = 0; pe < pes; pe++) {
            expected.add("PE " + pe + " of " + pes + " is right");
        }
        assertThat(lines.stream().filter(line -> line.endsWith("is right")))
                .as(err)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /// In the kernel's table an address is a hexadecimal number in the order of the machine's bytes: 10.77.0.x.
    private static void assertListenOnHosts(List<String> lines, int pes) {
        List<String> listening = lines.stream()
                .filter(line -> line.contains(" listens on "))
                .map(line -> line.substring(line.indexOf('[') + 1, line.indexOf(']')))
                .toList();
        assertThat(listening)
                .hasSize(pes)
                .allSatisfy(sockets -> assertThat(sockets.split(", ", -1))
                        .allSatisfy(socket -> assertThat(socket).matches("..004D0A:.*")));
    }

    @Test
    @DisplayName("conduit=auto tries ucx before the conduits that need their target's help")
    void order() {
        List<String> names =
                SystemInfo.conduits().stream().map(SystemInfo.ConduitInfo::name).toList();
        assertThat(names).containsSubsequence("mapped", "ucx", "loopback", "wire");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    @DisplayName("under run --hosts all families of operations are right, and their bytes cross the wire")
    void hosts(int hosts) throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(hosts);
                HostsRun run = start(network, "end", "work")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            assertRight(lines, 2 * hosts - 1, run.err());
            assertListenOnHosts(lines, 2 * hosts - 1);
            for (int host = 0; host < hosts; host++) {
                assertThat(network.receivedBytes(host)).isGreaterThan(HostsWork.LONGS * (long) Long.BYTES);
            }
            run.awaitNothing();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4})
    @NeedsTools({Tool.MPIRUN, Tool.PMIX})
    @DisplayName("under mpirun PEs of two hosts find each other by PMIx, and their bytes cross the wire")
    void mpirun(int pes) throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(2)) {
            Process process = startMpirun(network, pes, "work");
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertRight(output.lines().toList(), pes, output);
            for (int host = 0; host < 2; host++) {
                assertThat(network.receivedBytes(host)).isGreaterThan(HostsWork.LONGS * (long) Long.BYTES);
            }
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @NeedsTools({Tool.MPIRUN, Tool.PMIX})
    @DisplayName("kill -9 of a PE, or of mpirun, ends a busy job under mpirun, and leaves no PE")
    void killsUnderMpirun() throws Exception {
        for (int round = 0; round < KILLS; round++) {
            try (NetworkNamespaces network = new NetworkNamespaces(2)) {
                Process mpirun = startMpirun(network, 4, "survive");
                BufferedReader out = mpirun.inputReader(UTF_8);
                List<Long> pes = new ArrayList<>();
                while (pes.size() < 4) {
                    String line = out.readLine();
                    assertThat(line).as("end of output in round %d", round).isNotNull();
                    if (line.matches("PE [0-9] up [0-9]+")) {
                        pes.add(HostsRun.pid(line));
                    }
                }
                boolean isPe = round % 2 == 0;
                HostsRun.signal("KILL", isPe ? pes.get(round / 2 % 4) : mpirun.pid());
                out.lines().forEach(_ -> {});
                assertThat(mpirun.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(mpirun.exitValue()).isNotZero();
                int its = round;
                Awaitility.await()
                        .atMost(20, TimeUnit.SECONDS)
                        .untilAsserted(() -> assertThat(pes.stream()
                                        .filter(pid -> ProcessHandle.of(pid)
                                                .map(ProcessHandle::isAlive)
                                                .orElse(false)))
                                .as("PEs that live after round %d", its)
                                .isEmpty());
            }
        }
    }

    private Process startMpirun(NetworkNamespaces network, int pes, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                agent(network).toString(),
                "10.77.0.1",
                "mpirun",
                "--allow-run-as-root",
                "--mca",
                "plm_rsh_agent",
                agent(network).toString(),
                "--mca",
                "oob_tcp_if_include",
                NetworkNamespaces.NETWORK,
                "--host",
                "10.77.0.1:" + pes / 2 + ",10.77.0.2:" + pes / 2,
                "-n",
                Integer.toString(pes)));
        for (String each : List.of(
                ENVIRONMENT, "COTERIE_LISTEN=" + NetworkNamespaces.NETWORK, "COTERIE_LINK_TIMEOUT_S=" + BOUND_S)) {
            command.addAll(List.of("-x", each));
        }
        command.addAll(HostsProgram.command(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("(COTERIE|SLURM|PMIX|PMI|OMPI)_.*"));
        return builder.start();
    }

    /// Writes a remote shell for `mpirun`, which takes an address for the name of a host. The host has a name of its
    /// own, and names its node for Coterie, since all namespaces see the same processes.
    private Path agent(NetworkNamespaces network) throws IOException {
        Path file = Files.writeString(
                folder.resolve("agent"), """
                #!/bin/sh
                host=$1
                shift
                exec ip netns exec PREFIX$((${host##*.} - 1)) unshare --uts \
                    sh -c "hostname $host; export COTERIE_NODE=$host; exec $*"
                """.replace("PREFIX", network.name(0).replaceFirst("0$", "")));
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    @Test
    @DisplayName("a link that goes down is noticed within the bound; when it comes back, the lost PEs stay lost")
    void linkDownAndUp() throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(3);
                HostsRun run = start(network, "continue", "survive")) {
            run.awaitLines("PE [0-9] up [0-9]+", 5);
            long start = SoakBound.now();
            network.cut(2);
            List<String> lost = run.awaitLines("PE [0-2] lost .*", 3);
            SoakBound.assertWithin(lost.toString(), Duration.ofSeconds(BOUND_S + 3), start);
            network.mend(2);
            assertThat(lost).allMatch(line -> line.contains("PE 3") || line.contains("PE 4"));
            assertThat(run.await(new ArrayList<>())).as(run.err()).isNotZero();
            run.awaitNothing();
        }
    }

    @Test
    @NeedsTools(Tool.TAP_DEVICES)
    @DisplayName("over a cable that delays each frame and drops some, a job takes longer, and is right")
    void badCable() throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(2);
                BadCable cable = new BadCable(network, 1);
                HostsRun run = start(network, "end", "work")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            assertRight(lines, 3, run.err());
            assertThat(cable.dropped()).isPositive();
            run.awaitNothing();
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("kill -9 of a PE, an agent or the launcher on any host ends a busy job, and leaves nothing")
    void kills() throws Exception {
        for (int round = 0; round < KILLS; round++) {
            Random random = new Random(round);
            List<String> before = sharedFiles(); // those of other processes may have numbers that come again
            try (NetworkNamespaces network = new NetworkNamespaces(3);
                    HostsRun run = start(network, "end", "survive")) {
                List<String> up = run.awaitLines("PE [0-9] up [0-9]+", 5);
                List<Long> processes = run.processes();
                switch (round % 3) {
                    case 0 -> {
                        String victim = up.get(random.nextInt(up.size()));
                        HostsRun.signal("KILL", HostsRun.pid(victim));
                        assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(137);
                    }
                    case 1 -> {
                        List<Long> agents = run.agents();
                        HostsRun.signal("KILL", agents.get(random.nextInt(agents.size())));
                        assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
                    }
                    default -> HostsRun.signal("KILL", run.launcher.pid());
                }
                run.awaitNothing();
                assertThat(sharedFiles())
                        .filteredOn(file -> !before.contains(file))
                        .noneMatch(
                                file -> processes.stream().anyMatch(pid -> file.matches(".*\\D" + pid + "(\\D.*)?")));
            }
        }
    }

    private static List<String> sharedFiles() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
            return files.map(Path::toString).toList();
        }
    }
}
