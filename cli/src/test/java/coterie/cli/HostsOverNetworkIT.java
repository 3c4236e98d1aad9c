// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.loopback.WireProvider;
import coterie.testing.NeedsTools;
import coterie.testing.NetworkNamespaces;
import coterie.testing.SoakBound;
import coterie.testing.Tool;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `coterie run --hosts` on hosts that are network namespaces: the PEs reach each other by the virtual cables
/// alone.
@NeedsTools(Tool.NETWORK_NAMESPACES)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostsOverNetworkIT {
    private static final int BOUND_S = 2;

    @TempDir
    private Path folder;

    private HostsRun start(NetworkNamespaces network, String failure, String... arguments) throws Exception {
        return HostsRun.over(
                network,
                folder,
                List.of("COTERIE_LINK_TIMEOUT_S=" + BOUND_S),
                List.of("--on-failure", failure, "--env", WireProvider.NETWORK + "=" + NetworkNamespaces.NETWORK),
                arguments);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    @DisplayName("PEs on two and three hosts are one job, and their bytes cross the wire")
    void hosts(int hosts) throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(hosts);
                HostsRun run = start(network, "end", "end")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            int pes = 2 * hosts - 1;
            assertThat(lines).hasSize(pes);
            for (int pe = 0; pe < pes; pe++) {
                assertThat(lines)
                        .contains("PE " + pe + " left " + (100 + (pe + pes - 1) % pes) + " sum " + pes * (pes + 1) / 2
                                + " node " + (pe == 0 ? 1 : 2));
            }
            assertThat(network.receivedBytes(hosts - 1)).isGreaterThan(10_000);
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName(
            "a link that goes down is noticed within the bound: survivors go on, and the lost host keeps no process")
    void linkDown() throws Exception {
        try (NetworkNamespaces network = new NetworkNamespaces(3);
                HostsRun run = start(network, "continue", "survive")) {
            run.awaitLines("PE [0-9] up [0-9]+", 5);
            long start = SoakBound.now();
            network.cut(2);
            List<String> lost = run.awaitLines("PE [0-2] lost .*", 3);
            SoakBound.assertWithin(lost.toString(), Duration.ofSeconds(BOUND_S + 3), start);
            assertThat(lost).allMatch(line -> line.contains("PE 3") || line.contains("PE 4"));
            assertThat(run.await(new ArrayList<>())).as(run.err()).isIn(125, 1); // of the first PE that fails by itself
            assertThat(run.err()).containsPattern("no message came from (it|the coordinator) for 2000 ms");
            run.awaitNothing();
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
}
