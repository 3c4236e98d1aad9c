// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.SystemInfo;
import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Over UCX and TCP. No test names the conduit where `auto` must find it.
@NeedsTools({Tool.UCX, Tool.NETWORK_NAMESPACES})
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostsOverUcxIT extends HostsOverCables {
    private static final String ENVIRONMENT = "UCX_TLS=tcp,self";

    @Override
    List<String> environment() {
        return List.of("COTERIE_CONDUIT=auto");
    }

    @Override
    List<String> options() {
        return List.of("--env", ENVIRONMENT);
    }

    @Test
    @DisplayName("conduit=auto tries ucx before the conduits that need their target's help")
    void order() {
        List<String> names =
                SystemInfo.conduits().stream().map(SystemInfo.ConduitInfo::name).toList();
        assertThat(names).containsSubsequence("mapped", "ucx", "tcp", "loopback", "wire");
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
}
