// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.CollectiveType;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// Jobs whose members get unexpected connections while their teams open.
class StrayCallsTest {

    @BeforeAll
    static void disturb() {
        System.setProperty("coterie.tl.strays.on", "true");
        System.setProperty("coterie.tl.strays.tune", "inf");
    }

    @AfterAll
    static void asBefore() {
        System.clearProperty("coterie.tl.strays.on");
        System.clearProperty("coterie.tl.strays.tune");
    }

    private static void assertSum(Team team, IntegerView longs, long expected) {
        team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
        assertThat(longs.get(1)).isEqualTo(expected);
        assertThat(team.explain(CollectiveType.ALL_REDUCE, 64)
                        .candidates()
                        .getFirst()
                        .toString())
                .isEqualTo("strays/linear inf");
    }

    @SpmdTest(
            pes = {1, 5},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("teams open, and have the right members, one after the other")
    void teamsOpen(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            longs.set(0, world.pe());
            assertSum(world.team(), longs, n * (n - 1L) / 2);
            for (int round = 0; round < 3; round++) {
                try (Team parity = world.team().splitByColor(world.pe() % 2, -world.pe())) {
                    int evens = (n + 1) / 2;
                    int odds = n / 2;
                    assertSum(parity, longs, world.pe() % 2 == 0 ? evens * (evens - 1L) : (long) odds * odds);
                }
            }
            assertSum(world.team(), longs, n * (n - 1L) / 2);
        }
    }
}
