// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.Tool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Jobs over `tcp` on hosts that have IPv6 alone: network namespaces with one address of `fd00::` each, beside those of
/// the link.
@NeedsTools(Tool.NETWORK_NAMESPACES)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class HostsOverIpv6IT {
    private static final int PES = 4;

    /// fd00:77::1 or fd00:77::2 in the kernel's table: four numbers in the order of the machine's bytes.
    private static final String ADDRESS = "770000FD0{16}0[12]000000:.*";

    private static final Pattern LISTENS = Pattern.compile("PE [0-9] listens on \\[(.*)]");

    @TempDir
    private Path folder;

    private static void assertOnHosts(NetworkNamespaces network, List<String> lines) throws Exception {
        List<String> sockets = lines.stream()
                .map(LISTENS::matcher)
                .filter(Matcher::matches)
                .map(line -> line.group(1))
                .toList();
        assertThat(sockets)
                .hasSize(PES)
                .allSatisfy(each -> assertThat(each.split(", ", -1))
                        .isNotEmpty()
                        .allSatisfy(socket -> assertThat(socket).matches(ADDRESS)));
        for (int host = 0; host < network.hosts(); host++) {
            assertThat(network.receivedBytes(host)).isGreaterThan(HostsWork.LONGS * (long) Long.BYTES);
        }
    }

    private Path secret() throws Exception {
        Path secret = Files.createTempFile(folder, "secret", null);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(secret, "a secret of this job");
    }

    /// Starts a PE on one of two hosts. Namespaces see the same processes, so that the node needs a name.
    private Process start(NetworkNamespaces network, int pe, List<String> variables) throws Exception {
        int host = pe * network.hosts() / PES;
        List<String> command = new ArrayList<>(List.of("ip", "netns", "exec", network.name(host), "env"));
        command.addAll(List.of("COTERIE_NODE=host" + host, "COTERIE_PE=" + pe, "COTERIE_SIZE=" + PES));
        command.addAll(variables);
        List<String> java = HostsProgram.command("work");
        command.add(java.getFirst());
        command.add("-Djdk.net.hosts.file=" + folder.resolve("hosts"));
        command.addAll(java.subList(1, java.size()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COTERIE_"));
        return builder.start();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "COTERIE_COORDINATOR=[fd00:77::1]:29500",
        "COTERIE_COORDINATOR=zero:29500 COTERIE_LISTEN=eth",
        "COTERIE_COORDINATOR=both:29500 COTERIE_ENCRYPTION=tls"
    })
    @DisplayName("processes with a secret find PE 0 by an address of IPv6 or a name, and their bytes cross the wire")
    void secretAndAddress(String words) throws Exception {
        Files.writeString(folder.resolve("hosts"), "fd00:77::1 zero both\n192.0.2.1 both\n");
        List<String> variables = new ArrayList<>(List.of(words.split(" ")));
        variables.addAll(List.of(
                "COTERIE_SECRET_FILE=" + secret(),
                "COTERIE_CONDUIT=tcp",
                "COTERIE_HEAP=16m",
                "COTERIE_JOIN_TIMEOUT_S=60"));
        List<Process> processes = new ArrayList<>();
        try (NetworkNamespaces network = NetworkNamespaces.ofIpv6(2)) {
            List<String> lines = new ArrayList<>();
            for (int pe = 0; pe < PES; pe++) {
                processes.add(start(network, pe, variables));
            }
            for (Process each : processes) {
                String output = new String(each.getInputStream().readAllBytes(), UTF_8);
                assertThat(each.waitFor()).as(output).isZero();
                output.lines().forEach(lines::add);
            }
            HostsOverCables.assertRight(lines, PES, String.join("\n", lines));
            assertOnHosts(network, lines);
        } finally {
            processes.forEach(Process::destroyForcibly);
        }
    }

    @Test
    @DisplayName("run --hosts works over a network of IPv6, which the launcher listens in")
    void runHosts() throws Exception {
        try (NetworkNamespaces network = NetworkNamespaces.ofIpv6(2);
                HostsRun run = HostsRun.over(network, folder, List.of("COTERIE_CONDUIT=tcp"), List.of(), "work")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            HostsOverCables.assertRight(lines, 3, run.err());
            run.awaitNothing();
        }
    }
}
