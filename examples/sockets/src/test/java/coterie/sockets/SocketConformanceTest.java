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
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// UCC's tests of contexts, teams and service collectives, with an external component, in real jobs.
class SocketConformanceTest {

    @BeforeAll
    static void aboveAllOthers() {
        System.setProperty("coterie.tl.sockets.tune", "inf");
    }

    @AfterAll
    static void asBefore() {
        System.clearProperty("coterie.tl.sockets.tune");
    }

    private static void assertSum(Team team, IntegerView longs) {
        longs.set(0, team.member() + 1);
        team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
        assertThat(longs.get(1)).isEqualTo(team.size() * (team.size() + 1) / 2);
        assertThat(team.explain(CollectiveType.ALL_REDUCE, 8).candidates().getFirst())
                .hasToString("sockets/linear inf");
    }

    @SpmdTest(
            pes = 4,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("UC-15 each world that a PE opens has its own context of a layer, by which the others reach it")
    void contexts() {
        for (int round = 0; round < 3; round++) {
            try (World world = World.join();
                    SymmetricMemory memory = world.allocate(16)) {
                assertSum(world.team(), memory.longs());
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 7, 8},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("UC-16 teams of 1, 2, 7 and 8 are made, used and destroyed at once")
    void teams(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            for (int round = 0; round < 3; round++) {
                try (Team team = world.team().duplicate()) {
                    assertSum(team, memory.longs());
                }
                world.team().duplicate().close();
            }
        }
    }

    @SpmdTest(
            pes = 8,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("UC-18 UC-19 exchanges on teams that are full, strided, reversed and listed: each member is found"
            + " under its number")
    void exchanges(World world) {
        List<int[]> members = List.of(
                new int[] {0, 1, 2, 3, 4, 5, 6, 7},
                new int[] {1, 4, 7},
                new int[] {7, 6, 5, 4, 3, 2, 1, 0},
                new int[] {6, 0, 5, 1},
                new int[] {3});
        try (SymmetricMemory memory = world.allocate(16 * Long.BYTES)) {
            LongView longs = memory.longs();
            for (int[] pes : members) {
                int me = IntStream.range(0, pes.length)
                        .filter(member -> pes[member] == world.pe())
                        .findFirst()
                        .orElse(-1);
                try (Team team = world.team().splitByColor(me < 0 ? 1 : 0, Math.max(me, 0))) {
                    if (me >= 0) {
                        assertThat(team.member()).isEqualTo(me);
                        assertThat(team.size()).isEqualTo(pes.length);
                    }
                    assertSum(team, longs);
                    longs.set(0, world.pe());
                    team.allGather(longs, 1, longs, 0, 1);
                    for (int member = 0; member < team.size(); member++) {
                        assertThat(longs.get(1 + member)).isEqualTo(team.pe(member));
                    }
                }
            }
        }
    }
}
