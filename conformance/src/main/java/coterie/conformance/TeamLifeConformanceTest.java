// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.Context;
import coterie.ContextOption;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// How teams come and go, and what is left of them.
class TeamLifeConformanceTest {

    @SpmdTest(pes = 4)
    @DisplayName("SH-T29 a thousand teams live at once, all of them good; one that goes makes room for the next")
    void thereIsNoCap(World world) {
        List<Team> teams = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            teams.add(world.team().duplicate());
        }
        for (Team team : teams) {
            assertThat(team.sum(1L)).isEqualTo(4);
        }
        for (int i = 0; i < 1_000; i += 2) {
            teams.get(i).close();
            teams.set(i, world.team().splitStrided(3, -1, 4));
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(teams.get(i).sum((long) i)).isEqualTo(4L * i);
        }
        teams.forEach(Team::close);
    }

    @EveryTeamSize
    @DisplayName(
            "SH-T30 teams are made, used and destroyed over and over, a thousand times where PEs are four or fewer")
    void comeAndGo(World world) {
        int n = world.size();
        for (int round = 0; round < (n <= 4 ? 1_000 : 1_000 / n); round++) {
            Team team = world.team().splitStrided(round % n, -1, 1 + round % n);
            if (team.isValid()) {
                assertThat(team.sum((long) round)).isEqualTo((long) round * team.size());
            }
            team.close();
        }
    }

    @EveryTeamSize
    @DisplayName("SH-T32 the world's own teams can't be destroyed, and are as good as before")
    void predefinedTeamsStay(World world) {
        for (Team team : List.of(world.team(), world.sharedTeam(), world.nodeTeam(), world.sameIndexTeam())) {
            assertThatThrownBy(team::close)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("close on team \"" + team.name() + "\"")
                    .hasMessageContaining("one of the world's own");
            assertThat(team.sum(1L)).isEqualTo(team.size());
        }
    }

    @EveryTeamSize
    @DisplayName("SH-T33 a handle of a team that was destroyed is refused, and does not reach the next one's place")
    void deadHandlesAreRefused(World world) {
        Team dead = world.team().duplicate();
        Context context = dead.createContext();
        dead.close();
        try (Team next = world.team().duplicate();
                SymmetricMemory memory = world.allocate(64)) {
            LongView longs = memory.longs();
            List<ThrowingCallable> refused = List.of(
                    dead::member,
                    dead::size,
                    () -> dead.pe(0),
                    dead::pes,
                    () -> dead.translate(0, next),
                    () -> next.translate(0, dead),
                    dead::config,
                    dead::createContext,
                    dead::barrier,
                    dead::sync,
                    () -> dead.sum(1L),
                    () -> dead.broadcast(longs, 0, longs, 1, 1, 0),
                    () -> dead.splitStrided(0, 1, 1),
                    () -> dead.split2D(1),
                    () -> dead.splitByColor(0, 0),
                    dead::duplicate,
                    () -> memory.segment(dead, 0));
            assertThat(refused)
                    .allSatisfy(call -> assertThatThrownBy(call)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("team \"world/copy\"")
                            .hasMessageContaining("it was closed"));
            assertThatThrownBy(() -> longs.through(context).put(0, 1, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("its context was closed");
            dead.close();
            dead.destroy();
            assertThat(dead.isValid()).isFalse();
            assertThat(dead.name()).isEqualTo("world/copy");
            assertThat(next.sum(1L)).isEqualTo(world.size());
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName(
            "SH-T34 a team's contexts are completed and closed with it; a private one keeps it alive on its member")
    void contextsGoWithTheirTeam(World world) {
        Team team = world.team().splitStrided(3, -1, 4);
        try (SymmetricMemory memory = world.allocate(16)) {
            Context shareable = team.createContext();
            Context mine = world.pe() == 2 ? team.createContext(ContextOption.PRIVATE) : null;
            memory.longs().through(shareable).put(0, 42, (team.member() + 1) % 4);
            assertThat(team.sum(1L)).isEqualTo(4);
            if (mine != null) {
                assertThatThrownBy(team::close)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("PE 2 has a private context of the team open");
                memory.longs().through(mine).put(1, 1, team.member());
                mine.close();
            }
            team.close();
            world.team().barrier();
            assertThat(memory.longs().get(0, world.pe())).isEqualTo(42);
            assertThatThrownBy(() -> memory.longs().through(shareable).put(0, 1, 0))
                    .isInstanceOf(IllegalStateException.class);
            world.team().barrier();
        }
    }

    @SpmdTest(pes = 8)
    @DisplayName("SH-T36 a hundred collectives of one half while the other half does ten: no cross-talk")
    void halvesDoNotDisturbEachOther(World world) {
        boolean low = world.pe() < 4;
        Team first = world.team().splitStrided(0, 1, 4);
        Team second = world.team().splitStrided(4, 1, 4);
        Team half = low ? first : second;
        for (int i = 0; i < (low ? 100 : 10); i++) {
            assertThat(half.sum((long) world.pe() + i)).isEqualTo((low ? 6 : 22) + 4L * i);
        }
        assertThat(world.team().sum(1L)).isEqualTo(8);
        first.close();
        second.close();
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T48 two threads of a PE, each in collectives of its own team")
    void threadsHaveTeamsOfTheirOwn(World world) throws Exception {
        try (Team one = world.team().duplicate();
                Team other = world.team().splitStrided(3, -1, 4)) {
            FutureTask<Boolean> loop = new FutureTask<>(() -> sums(one, 300, 1));
            new Thread(loop).start();
            assertThat(sums(other, 300, 2)).isTrue();
            assertThat(loop.get()).isTrue();
        }
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("SH-T48 a second thread in the same team's collective is refused, and the first one's is right")
    void threadsTakeTurns(World world) throws Exception {
        try (Team team = world.team().duplicate();
                SymmetricMemory memory = world.allocate(8)) {
            LongView flag = memory.longs();
            for (long round = 1; round <= 100; round++) {
                if (world.pe() > 0) {
                    if (world.pe() == 1) {
                        flag.waitUntil(0, Comparison.EQ, round);
                    }
                    team.barrier();
                    continue;
                }
                // The first PE to call waits for PE 1, which calls after the other has failed.
                long number = round;
                Callable<Boolean> call = () -> {
                    try {
                        team.barrier();
                        return true;
                    } catch (IllegalStateException e) {
                        assertThat(e)
                                .hasMessageContaining("barrier on team \"world/copy\"")
                                .hasMessageContaining("one at a time");
                        flag.put(0, number, 1);
                        return false;
                    }
                };
                FutureTask<Boolean> other = new FutureTask<>(call);
                new Thread(other).start();
                assertThat(List.of(call.call(), other.get())).containsExactlyInAnyOrder(true, false);
            }
        }
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8, 12})
    @DisplayName("members of a team that call different collectives are told; others and the parent are unharmed")
    void mismatchPoisonsOneTeam(World world) {
        try (Team team = world.team().duplicate();
                Team bystander = world.team().duplicate()) {
            ThrowingCallable mine = world.pe() == 1 ? team::barrier : () -> team.splitStrided(0, 1, 1);
            assertThatThrownBy(mine)
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("team \"world/copy\"")
                    .hasMessageContaining(world.size() == 2 ? "PE 0 splitStrided" : "PEs 0, 2")
                    .hasMessageContaining(" splitStrided, PE 1 barrier");
            assertThatThrownBy(() -> team.sum(1L))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("can't be used any more");
            assertThat(bystander.sum(1L)).isEqualTo(world.size());
            assertThat(world.team().sum(1L)).isEqualTo(world.size());
        }
    }

    @SpmdTest(pes = {2, 3, 8})
    @DisplayName("a number and a vector are different reductions: all members get an error with each PE's call")
    void aNumberIsNoVector(World world) {
        try (Team team = world.team().duplicate();
                SymmetricMemory memory = world.allocate(64)) {
            ThrowingCallable mine = world.pe() == 1
                    ? () -> team.allReduce(Reduction.SUM, memory.longs(), 0, memory.longs(), 4, 1)
                    : () -> team.sum(1L);
            assertThatThrownBy(mine)
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("SUM of LONG (scalar) on PEs [0")
                    .hasMessageContaining("SUM of LONG on PEs [1]");
        }
    }

    @EveryTeamSize
    @DisplayName("teams outlive their parents, and end with their world")
    void outliveTheirParents(World world) {
        Team parent = world.team().duplicate();
        Team child = parent.splitStrided(0, 1, world.size());
        parent.close();
        assertThat(child.sum(1L)).isEqualTo(world.size());
        world.close();
        assertThat(child.isValid()).isFalse();
        assertThatThrownBy(child::barrier)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the world was closed");
        child.close();
        try (World again = World.join()) {
            for (int round = 0; round < 3; round++) {
                try (Team next = again.team().duplicate()) {
                    assertThat(next.sum(2L)).isEqualTo(2L * again.size());
                }
                assertThat(again.nodeTeam().sum(1L)).isEqualTo(again.size());
            }
        }
    }

    private static boolean sums(Team team, int rounds, long factor) {
        for (long round = 0; round < rounds; round++) {
            if (team.sum(factor * round) != 4 * factor * round) {
                return false;
            }
        }
        return true;
    }
}
