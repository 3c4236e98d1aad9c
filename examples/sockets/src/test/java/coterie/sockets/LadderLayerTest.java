// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.DoubleView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// A collective layer over the components that serve its groups, in simulated networks too.
class LadderLayerTest {
    private static final int COUNT = 300;

    @BeforeAll
    static void aboveAllOthers() {
        System.setProperty("coterie.cl.ladder.tune", "inf");
    }

    @AfterAll
    static void asBefore() {
        System.clearProperty("coterie.cl.ladder.tune");
    }

    @SpmdTest(
            pes = {1, 2, 5, 8},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("blocking calls go by its composition, in place and not, again and again")
    void blocking(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * COUNT * (n + 1))) {
            LongView longs = memory.longs();
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < COUNT; i++) {
                    longs.set(i, 100L * world.pe() + i + round);
                }
                world.team().allReduce(Reduction.SUM, longs, 0, longs, 0, COUNT);
                assertThat(longs.get(9)).isEqualTo(100L * n * (n - 1) / 2 + n * (9L + round));
                assertThat(longs.get(COUNT - 1)).isEqualTo(100L * n * (n - 1) / 2 + n * (COUNT - 1L + round));
                longs.set(0, world.pe());
                world.team().allGather(longs, COUNT, longs, 0, COUNT);
                for (int member = 0; member < n; member++) {
                    assertThat(longs.get((member + 1L) * COUNT)).isEqualTo(member);
                }
            }
            assertServes(world.team(), CollectiveType.ALL_REDUCE, "halves");
            assertServes(world.team(), CollectiveType.ALL_GATHER, "relay");
        }
    }

    private static void assertServes(Team team, CollectiveType type, String algorithm) {
        String first = team.explain(type, 64).candidates().getFirst().toString();
        assertThat(first.equals("ladder/" + algorithm + " inf")).isEqualTo(team.size() > 1);
    }

    @SpmdTest(
            pes = {1, 2, 5, 8},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("requests go by its composition: persistent, in place, sums that round")
    void requests(World world) {
        int n = world.size();
        int me = world.pe();
        try (SymmetricMemory memory = world.allocate(8L * (n + 1))) {
            DoubleView doubles = memory.doubles();
            try (Request sum = world.team()
                            .prepare(Collective.allReduce(Reduction.SUM)
                                    .source(doubles, 0, 1)
                                    .target(doubles, 0, 1)
                                    .persistent());
                    Request gather = world.team()
                            .prepare(Collective.allGather()
                                    .source(doubles, 1 + me, 1)
                                    .target(doubles, 1, n)
                                    .persistent())) {
                assertThat(sum.algorithm().equals("ladder/halves")).isEqualTo(n > 1);
                assertThat(gather.algorithm().equals("ladder/relay")).isEqualTo(n > 1);
                for (int round = 0; round < 3; round++) {
                    doubles.set(0, 0.25 * (me + round));
                    doubles.set(1 + me, me + 0.5 * round);
                    sum.post();
                    gather.post();
                    gather.await();
                    sum.await();
                    assertThat(doubles.get(0)).isEqualTo(0.25 * (n * (n - 1) / 2 + n * round));
                    for (int member = 0; member < n; member++) {
                        assertThat(doubles.get(1 + member)).isEqualTo(member + 0.5 * round);
                    }
                }
            }
        }
    }
}
