// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.Team;
import coterie.World;
import coterie.internal.memory.StatusField;
import coterie.internal.rma.TeamPeers;
import coterie.internal.sync.TeamMap;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What a split costs, what remains of closed teams, and what the others learn when a PE fails in between.
@ExtendWith(TestSettings.class)
class TeamsTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSplitOfEightIsOneRound(boolean direct) {
        try (LocalJob job = job(8, direct)) {
            job.run(world -> {
                List<Team> made = new ArrayList<>();
                List<Consumer<Team>> splits = List.of(
                        team -> made.add(team.splitStrided(0, 2, 4)),
                        team -> made.add(team.splitStrided(7, -1, 8)),
                        team -> {
                            Team.Axes axes = team.split2D(3);
                            made.addAll(List.of(axes.x(), axes.y()));
                        },
                        team -> made.add(team.splitByColor(world.pe() % 3, 0)),
                        team -> made.add(team.duplicate()));
                for (Consumer<Team> split : splits) {
                    Tally before = Tally.of(job, world);
                    split.accept(world.team());
                    Tally after = Tally.of(job, world);
                    assertThat(after.rounds - before.rounds).as("rounds").isEqualTo(1);
                    assertThat(after.messages - before.messages)
                            .as("a line to each of the others")
                            .isEqualTo(7);
                    assertThat(after.operations - before.operations)
                            .as("puts, gets and atomics")
                            .isZero();
                }
                made.forEach(Team::destroy);
            });
        }
    }

    /// What a PE has done so far.
    private record Tally(long rounds, long messages, long operations) {
        static Tally of(LocalJob job, World world) {
            LocalJob.publishCounters(world);
            var page = job.segment().status(world.pe());
            return new Tally(
                    page.get(StatusField.COLLECTIVES),
                    page.get(StatusField.MESSAGES),
                    page.get(StatusField.PUTS) + page.get(StatusField.GETS) + page.get(StatusField.ATOMICS));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThousandTeamsLeaveNothingBehind(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            job.run(world -> {
                round(world, 0);
                SyncArea area = LocalJob.teams(world).area();
                int descriptors = descriptors(world);
                for (int round = 1; round <= 1_000; round++) {
                    round(world, round);
                }
                assertThat(TeamPeers.count(world)).isZero();
                assertThat(area.blocks()).isZero();
                assertThat(area.used()).isZero();
                assertThat(area.reserved()).as("pages").isLessThanOrEqualTo(1 << 16);
                assertThat(descriptors(world)).as("descriptors").isEqualTo(descriptors);
            });
        }
    }

    private static void round(World world, int round) {
        Team.Axes axes = world.team().split2D(1 + round % 4);
        Team some = world.team().splitByColor(world.pe() % 2 - 1, round);
        Team.Axes inner = axes.x().split2D(2);
        assertThat(axes.y().sum((long) round)).isEqualTo((long) round * axes.y().size());
        axes.x().createContext().close();
        assertThat(axes.y().createContext().team()).isSameAs(axes.y());
        List.of(some, inner.y(), axes.x(), inner.x(), axes.y()).forEach(Team::destroy);
    }

    /// Of this JVM, counted by PE 0 while the others do nothing, or −1.
    private static int descriptors(World world) {
        world.team().barrier();
        int open = world.pe() == 0 ? Objects.requireNonNull(new File("/proc/self/fd").list()).length : -1;
        world.team().barrier();
        return open;
    }

    @Test
    void aRefusedSplitLeavesNothingBehind() {
        try (LocalJob job = job(3, true)) {
            job.run(world -> {
                for (int attempt = 0; attempt < 100; attempt++) {
                    boolean odd = world.pe() == attempt % 3;
                    assertThatThrownBy(() -> world.team().split2D(odd ? 1 : 2))
                            .isInstanceOf(CollectiveMismatchException.class);
                    assertThatThrownBy(() -> world.team().splitStrided(0, 1, odd ? 4 : 3))
                            .isInstanceOf(IllegalArgumentException.class);
                }
                assertThat(LocalJob.teams(world).area().used()).isZero();
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"true,split_strided", "true,split_2d", "false,split_strided", "false,split_2d"})
    void aPeThatFailsBeforeASplitsRoundIsNamedToAllOthers(boolean direct, String kind) {
        set(Setting.FAULT, kind + ":0@1=fail");
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                if (world.pe() == 1) {
                    split(world, kind);
                }
                assertThatThrownBy(() -> split(world, kind))
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(1));
                assertThat(LocalJob.teams(world).area().used()).isZero();
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,split_strided", "true,split_2d", "false,split_strided", "false,split_2d"})
    void aPeThatFailsWhenItHasSaidAllIsMissedInTheNewTeam(boolean direct, String kind) {
        set(Setting.FAULT, kind + ":3@1=fail");
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                List<Team> teams = split(world, kind);
                for (Team team : teams) {
                    if (world.team().translate(1, team) >= 0) {
                        assertThatThrownBy(() -> team.sum(1L))
                                .isInstanceOfSatisfying(
                                        PeFailedException.class,
                                        e -> assertThat(e.failedPes()).containsExactly(1));
                    } else {
                        assertThat(team.sum(1L)).isEqualTo(team.size());
                    }
                    team.destroy();
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    private static List<Team> split(World world, String kind) {
        if (kind.equals("split_strided")) {
            return List.of(world.team().splitStrided(0, 1, 4));
        }
        Team.Axes axes = world.team().split2D(2);
        return List.of(axes.x(), axes.y());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTeamIsDestroyedByThoseWhoLive(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().splitStrided(3, -1, 4);
                Team poisoned = world.team().duplicate();
                world.team().barrier();
                job.meet();
                if (world.pe() == 2) {
                    throw new AssertionError("PE 2 fails");
                }
                assertThatThrownBy(() -> poisoned.sum(1L)).isInstanceOf(PeFailedException.class);
                team.destroy();
                poisoned.destroy();
                assertThat(team.isValid()).isFalse();
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void roundsGoOnFromWorldToWorldHoweverManyEachTeamHad(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(first -> {
                World world = first;
                for (int round = 0; round < 50; round++) {
                    for (int i = 0; i < 7 * round % 5; i++) {
                        assertThat(world.nodeTeam().sum((long) i)).isEqualTo(3L * i);
                    }
                    if (round % 3 == 0) {
                        assertThat(world.team().sum(1L)).isEqualTo(3);
                    }
                    if (round % 4 == 0 && world.pe() == 1) {
                        world.newTeamId();
                    }
                    world.close();
                    world = World.join();
                }
                world.close();
            });
        }
    }

    @Test
    void mapsAreAsSmallAsTheyCanBe() {
        TeamMap full = TeamMap.full(12);
        TeamMap evens = full.compose(TeamMap.strided(0, 2, 6));
        assertThat(evens).isEqualTo(new TeamMap.Strided(0, 2, 6));
        assertThat(evens.compose(TeamMap.strided(5, -2, 3))).isEqualTo(new TeamMap.Strided(10, -4, 3));
        assertThat(evens.compose(TeamMap.full(6))).isEqualTo(evens);
        assertThat(TeamMap.listed(9, 6, 3, 0)).isEqualTo(new TeamMap.Strided(9, -3, 4));
        TeamMap list = TeamMap.listed(5, 1, 3);
        assertThat(list).isInstanceOf(TeamMap.Listed.class);
        assertThat(list.compose(TeamMap.strided(2, -2, 2))).isEqualTo(new TeamMap.Strided(3, 2, 2));
        for (TeamMap map : List.of(full, evens, list, TeamMap.strided(7, -3, 3), TeamMap.strided(4, 0, 1))) {
            for (int pe = -1; pe <= 12; pe++) {
                int expected = -1;
                for (int member = 0; member < map.size(); member++) {
                    expected = map.pe(member) == pe ? member : expected;
                }
                assertThat(map.member(pe)).as("%s in %s", pe, map).isEqualTo(expected);
            }
        }
    }
}
