// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.SoakBound;
import coterie.testing.Tool;
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

/// Jobs of `coterie run --hosts` on hosts that are network namespaces, over a conduit whose bytes travel by their
/// virtual cables.
abstract class HostsOverCables {
    static final int KILLS = Boolean.getBoolean("coterie.soak") ? 60 : 3;
    private static final int CUTS = Boolean.getBoolean("coterie.soak") ? 60 : 1;
    static final int BOUND_S = 2;

    @TempDir
    Path folder;

    /// Returns what the launcher has in its environment beside the bound: NAME=VALUE.
    abstract List<String> environment();

    /// Returns the options of `coterie run` that the conduit needs.
    abstract List<String> options();

    private HostsRun start(NetworkNamespaces network, String failure, String... arguments) throws Exception {
        List<String> environment = new ArrayList<>(List.of("COTERIE_LINK_TIMEOUT_S=" + BOUND_S));
        environment.addAll(environment());
        List<String> options = new ArrayList<>(List.of("--on-failure", failure));
        options.addAll(options());
        return HostsRun.over(network, folder, environment, options, arguments);
    }

    static void assertRight(List<String> lines, int pes, String err) {
        List<String> expected = new ArrayList<>();
        for (int pe = 0; pe < pes; pe++) {
            expected.add("PE " + pe + " of " + pes + " is right");
        }
        assertThat(lines.stream().filter(line -> line.endsWith("is right")))
                .as(err)
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    /// In the kernel's table an address is a hexadecimal number in the order of the machine's bytes: 10.77.0.x, which a
    /// socket for both versions of IP has as one of the sixth.
    private static void assertListenOnHosts(List<String> lines, int pes) {
        List<String> listening = lines.stream()
                .filter(line -> line.contains(" listens on "))
                .map(line -> line.substring(line.indexOf('[') + 1, line.indexOf(']')))
                .toList();
        assertThat(listening)
                .hasSize(pes)
                .allSatisfy(sockets -> assertThat(sockets.split(", ", -1))
                        .allSatisfy(socket -> assertThat(socket).matches("(0{16}FFFF0000)?..004D0A:.*")));
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

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("a link that goes down is noticed within the bound; when it comes back, the lost PEs stay lost")
    void linkDownAndUp() throws Exception {
        for (int round = 0; round < CUTS; round++) {
            try (NetworkNamespaces network = new NetworkNamespaces(3);
                    HostsRun run = start(network, "continue", "survive")) {
                run.awaitLines("PE [0-9] up [0-9]+", 5);
                SoakBound.last(Duration.ofMillis(new Random(round).nextInt(CUTS * 10)));
                long start = SoakBound.now();
                network.cut(2);
                List<String> lost = run.awaitLines("PE [0-2] lost .*", 3);
                SoakBound.assertWithin(lost.toString(), Duration.ofSeconds(BOUND_S + 3), start);
                network.mend(2);
                assertThat(lost).allMatch(line -> line.contains("PE 3") || line.contains("PE 4"));
                assertThat(run.await(new ArrayList<>())).as(run.err()).isNotZero();
                assertThat(run.err()).containsPattern("no message came from (it|the coordinator) for 2000 ms");
                run.awaitNothing();
            }
        }
    }

    @Test
    @DisplayName("a link that is down for less than the bound loses nothing")
    void shortCut() throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(2);
                HostsRun run = start(network, "end", "survive")) {
            List<String> up = run.awaitLines("PE [0-9] up [0-9]+", 3);
            network.cut(1);
            SoakBound.last(Duration.ofMillis(200));
            network.mend(1);
            long before = network.receivedBytes(1);
            Awaitility.await()
                    .atMost(1, TimeUnit.MINUTES)
                    .until(() -> network.receivedBytes(1) > before + 10_000); // the PEs meet in barriers
            SoakBound.last(Duration.ofMillis(1000L * BOUND_S + 500)); // longer than the bound
            assertThat(run.launcher.isAlive()).as(run.err()).isTrue();
            assertThat(run.err()).isEmpty();
            HostsRun.signal("KILL", HostsRun.pid(up.getFirst()));
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(137);
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
