// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.DoubleView;
import coterie.ExtendedReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// The layer in jobs: found on the class path, selected by its score.
class SocketLayerTest {

    @BeforeAll
    static void aboveAllOthers() {
        System.setProperty("coterie.tl.sockets.tune", "inf");
    }

    @AfterAll
    static void asBefore() {
        System.clearProperty("coterie.tl.sockets.tune");
    }

    private static void assertServes(Team team, CollectiveType type) {
        Explanation.Candidate first = team.explain(type, 64).candidates().getFirst();
        assertThat(first.toString()).isEqualTo("sockets/linear inf");
    }

    @SpmdTest(
            pes = {1, 2, 4, 5},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("the layer serves blocking collectives")
    void blocking(World world) {
        int me = world.pe();
        int n = world.size();
        int count = 50_000; // more than the buffers of a connection hold
        try (SymmetricMemory memory = world.allocate(8L * count * (n + 2))) {
            LongView longs = memory.longs();
            for (int i = 0; i < count; i++) {
                longs.set(i, 1000L * me + i);
            }
            world.team().allReduce(Reduction.SUM, longs, count, longs, 0, count);
            assertThat(longs.get(count + 7)).isEqualTo(1000L * n * (n - 1) / 2 + 7L * n);
            assertThat(longs.get(2L * count - 1)).isEqualTo(1000L * n * (n - 1) / 2 + (count - 1L) * n);
            world.team().allGather(longs, 2L * count, longs, 0, count);
            for (int member = 0; member < n; member++) {
                assertThat(longs.get((2L + member) * count + 3)).isEqualTo(1000L * member + 3);
            }
            for (int root = 0; root < n; root++) {
                world.team().broadcast(longs, count, longs, 0, count, root);
                assertThat(longs.get(count + 5)).isEqualTo(1000L * root + 5);
            }
            assertServes(world.team(), CollectiveType.ALL_REDUCE);
            assertServes(world.team(), CollectiveType.BROADCAST);
        }
    }

    @SpmdTest(
            pes = {2, 5},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("floating-point sums have the members' order, as those of the runtime's own layers")
    void order(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 32)) {
            DoubleView doubles = memory.doubles();
            double expected = 1.0;
            for (int member = 1; member < world.size(); member++) {
                expected += 1.0 / (3 + member * 1e16);
            }
            doubles.set(0, world.pe() == 0 ? 1.0 : 1.0 / (3 + world.pe() * 1e16));
            world.team().allReduce(Reduction.SUM, doubles, 1, doubles, 0, 1);
            assertThat(doubles.get(1)).isEqualTo(expected);
        }
    }

    @SpmdTest(
            pes = {1, 3, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("the layer serves requests: persistent, several at once, in place, with results that are finished")
    void requests(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * 64)) {
            DoubleView doubles = memory.doubles();
            List<Request> requests = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                requests.add(world.team()
                        .prepare(Collective.allReduce(ExtendedReduction.AVERAGE)
                                .source(doubles, i, 1)
                                .target(doubles, i, 1)
                                .persistent()));
                assertThat(requests.getLast().algorithm()).isEqualTo("sockets/linear");
            }
            for (int round = 0; round < 5; round++) {
                for (int i = 0; i < 6; i++) {
                    doubles.set(i, 10.0 * i + world.pe() + round);
                    requests.get(i).post();
                }
                for (int i = 5; i >= 0; i--) {
                    requests.get(i).await();
                    assertThat(doubles.get(i)).isEqualTo(10.0 * i + (n - 1) / 2.0 + round);
                }
            }
            requests.forEach(Request::close);
        }
    }

    @SpmdTest(
            pes = 6,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("each team has its own connections, and closes them")
    void teams(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            for (int round = 0; round < 4; round++) {
                try (Team parity = world.team().splitByColor(world.pe() % 2, -world.pe())) {
                    longs.set(0, world.pe());
                    parity.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
                    assertThat(longs.get(1)).isEqualTo(world.pe() % 2 == 0 ? 6 : 9);
                    assertServes(parity, CollectiveType.ALL_REDUCE);
                }
            }
        }
    }
}
