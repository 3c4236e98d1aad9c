// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.junit.SpmdTest;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// Alltoall by gets and by puts. Members of a node load and store; between nodes, and wherever the network is
/// simulated, there are puts alone.
class OneSidedConformanceTest {
    private static final int MOST = 200;

    @BeforeAll
    static void choose() {
        TwoNodeSettings.set();
    }

    @AfterAll
    static void asBefore() {
        TwoNodeSettings.clear();
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-28 an alltoall by gets and by puts gives each its blocks, on teams of a node and of both,"
            + " reversed, strided and listed")
    void teams(World world) {
        try (SymmetricMemory memory = world.allocate(8L * (2 * 4 * MOST + 2))) {
            LongView longs = memory.longs();
            check(world.nodeTeam(), true, longs);
            check(world.team(), false, longs);
            List<Team> teams = List.of(
                    world.team().splitStrided(3, -1, 4),
                    world.team().splitStrided(0, 2, 2),
                    world.team().splitByColor(world.pe() == 2 ? -1 : 0, (world.pe() + 1) % 4),
                    world.team().duplicate());
            for (Team team : teams) {
                if (team.isValid()) {
                    check(team, false, longs);
                }
                team.close();
            }
            try (Team reversed = world.nodeTeam().splitStrided(1, -1, 2)) {
                check(reversed, true, longs);
            }
        }
    }

    private static void check(Team team, boolean isOfANode, IntegerView longs) {
        int n = team.size();
        int me = team.member();
        String layer = isOfANode && !Rounds.simulated() && isDirect() ? "mapped" : "p2p";
        for (int count : new int[] {1, 7, 60, MOST}) {
            long bytes = 8L * count * n;
            boolean isByGets = layer.equals("mapped") && bytes < TwoNodeSettings.PUTS_FROM;
            assertThat(team.explain(CollectiveType.ALL_TO_ALL, bytes)
                            .candidates()
                            .getFirst())
                    .hasToString(layer + (isByGets ? "/pull" : "/push") + " inf");
            int target = count * n;
            for (int round = 0; round < 3; round++) {
                for (int i = 0; i < target; i++) {
                    longs.set(i, value(me, i / count, i % count, round));
                }
                longs.set(2L * target, -5);
                team.sync();
                team.allToAll(longs, target, longs, 0, count);
                for (int i = 0; i < target; i++) {
                    assertThat(longs.get(target + i))
                            .as("element %s of %s, round %s", i, count, round)
                            .isEqualTo(value(i / count, me, i % count, round));
                }
                assertThat(longs.get(2L * target)).as("behind the target").isEqualTo(-5);
            }
        }
    }

    private static long value(int from, int to, int i, int round) {
        return ((round * 10L + from) * 10 + to) * 1000 + i;
    }

    private static boolean isDirect() {
        return !"false".equals(System.getProperty("coterie.load.store", System.getenv("COTERIE_LOAD_STORE")));
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-28 requests that name it, memory of its own and ranges that are none are refused by a clear error,"
            + " before anybody meets")
    void refusals(World world) {
        try (SymmetricMemory memory = world.allocate(8L * 16);
                SymmetricMemory other = world.allocate(8L * 4)) {
            LongView longs = memory.longs();
            for (Team team : List.of(world.team(), world.nodeTeam())) {
                Collective exchange =
                        Collective.allToAll().source(longs, 0, team.size()).target(longs, 8, team.size());
                for (String name : List.of("push", "onesided")) {
                    assertThatThrownBy(() -> team.prepare(exchange.withAlgorithm(name)))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(
                                    "no algorithm \"" + name + "\" for requests of alltoall", "pairwise");
                }
                int n = team.size();
                assertThatThrownBy(() -> team.allToAll(longs, n - 1, longs, 0, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("allToAll", "overlap");
                assertThatThrownBy(() -> team.allToAll(other.longs(), 5 - n, longs, 0, 1))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContainingAll("allToAll", "PE " + world.pe());
                assertThatThrownBy(() -> team.allToAll(longs, 8, longs, 0, -1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("allToAll", "-1");
                assertThatThrownBy(() -> team.allToAll(longs, 8, memory.ints(), 0, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("allToAll", "LONG", "INT");
                for (int i = 0; i < n; i++) {
                    longs.set(i, 10L * team.member() + i);
                }
                team.sync();
                team.allToAll(longs, 8, longs, 0, 1);
                for (int i = 0; i < n; i++) {
                    assertThat(longs.get(8 + i)).isEqualTo(10L * i + team.member());
                }
            }
        }
    }
}
