// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
/// Teams formed by an id if a PE fails on its way, or has no memory: what each PE learns, and what is left.

class FormationFailureTest extends FormationCase {
    @ParameterizedTest
    @CsvSource({"true,0", "true,1", "true,2", "true,3", "false,0", "false,1", "false,2", "false,3"})
    void aPeThatFailsOnItsWayEndsItForThoseWhoWait(boolean direct, int step) {
        set(Setting.FAULT, "form:" + step + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        long slot = prepare(world, id);
                        if (world.pe() == 1) {
                            job.awaitWaiting(0, OperationKind.FORM);
                            job.awaitWaiting(2, OperationKind.FORM);
                            world.formTeam(id.join(), 3, world.pe(), TeamConfig.DEFAULT, LONG);
                        }
                        assertFailed(() -> world.formTeam(id.join(), 3, world.pe(), TeamConfig.DEFAULT, LONG), 1);
                        assertThat(areaOf(world).used()).isEqualTo(slot);
                    }))
                    .containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,2", "true,3", "true,5", "false,2", "false,3", "false,5"})
    void aPeThatHasFailedOnItsWayEndsItForWhoComes(boolean direct, int step) {
        set(Setting.FAULT, "form:" + step + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        long slot = prepare(world, id);
                        job.meet();
                        if (world.pe() == 0) {
                            awaitFailed(job, 1);
                        }
                        if (world.pe() == 1) {
                            world.formTeam(id.join(), 2, 1, TeamConfig.DEFAULT, LONG);
                        } else if (world.pe() == 0) {
                            assertFailed(() -> world.formTeam(id.join(), 2, 0, TeamConfig.DEFAULT, LONG), 1);
                            assertThat(areaOf(world).used()).isEqualTo(slot);
                        }
                    }))
                    .containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,0", "true,1", "false,0", "false,1"})
    void whoFailsBeforeItHasClaimedANumberLeavesItToAnother(boolean direct, int step) {
        set(Setting.FAULT, "form:" + step + "@1=fail");
        try (LocalJob job = job(4, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        prepare(world, id);
                        job.meet();
                        if (world.pe() == 3) {
                            awaitFailed(job, 1);
                        }
                        Team team = world.formTeam(
                                id.join(), 3, world.pe() % 3 == 0 ? world.pe() / 3 : world.pe() == 1 ? 1 : 2);
                        assertThat(team.pes()).containsExactly(0, 3, 2);
                        assertThat(team.sum(1)).isEqualTo(3);
                    }))
                    .containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereOnlyOthersHaveFailedATeamIsFormedAndToldOfNothing(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        prepare(world, id);
                        job.meet();
                        if (world.pe() == 1) {
                            throw new IllegalStateException("meant to fail");
                        }
                        awaitFailed(job, 1);
                        Team team = world.formTeam(id.join(), 2, world.pe() / 2);
                        assertThat(team.sum(1)).isEqualTo(2);
                        team.destroy();
                    }))
                    .containsOnlyKeys(1);
        }
    }

    /// PE 1 fails on its way, or before it has called; the root opens further slots before PE 2 comes.
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    @DisplayName("a participant that comes after the others have given up learns of the failure, too")
    void lateSurvivor(boolean direct, boolean hasCalled) {
        set(Setting.FAULT, "form:" + (hasCalled ? 3 : 9) + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            CompletableFuture<Boolean> givenUp = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        prepare(world, id);
                        job.meet();
                        if (world.pe() == 1) {
                            if (hasCalled) {
                                world.formTeam(id.join(), 3, 1);
                            }
                            throw new IllegalStateException("meant to fail");
                        } else if (world.pe() == 0) {
                            assertFailed(() -> world.formTeam(id.join(), 3, 0), 1);
                            for (int i = 0; i < 20; i++) {
                                world.newTeamId();
                            }
                            givenUp.complete(true);
                        } else {
                            givenUp.join();
                            assertFailed(() -> world.formTeam(id.join(), 3, 2), 1);
                        }
                    }))
                    .containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true,1", "true,0", "false,1", "false,0"})
    void whatIsDecidedStandsThoughTheOneThatDecidedFails(boolean direct, int number) {
        set(Setting.FAULT, "form:4@1=fail");
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            assertThat(job.failures(world -> {
                        long slot = prepare(world, id);
                        if (world.pe() == 1) {
                            job.awaitWaiting(0, OperationKind.FORM);
                            job.awaitWaiting(2, OperationKind.FORM);
                            world.formTeam(id.join(), 3, number);
                        }
                        if (number == 1) {
                            Team team = world.formTeam(id.join(), 3, world.pe());
                            assertThat(team.pes()).containsExactly(0, 1, 2);
                            assertFailed(() -> team.sum(1), 1);
                        } else {
                            assertThatThrownBy(() -> world.formTeam(id.join(), 3, world.pe()))
                                    .isInstanceOf(CollectiveMismatchException.class)
                                    .hasMessageContaining("PE 1 passes number 0, which PE 0 has passed before");
                            assertThat(areaOf(world).used()).isEqualTo(slot);
                        }
                    }))
                    .containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void withoutMemoryForOneMembersLinesThereIsNoTeamForAny(boolean direct) {
        set(Setting.TEAM_SYNC_KIB, "3");
        try (LocalJob job = job(4, direct)) {
            Queue<TeamId> ids = new ConcurrentLinkedQueue<>();
            job.run(world -> {
                List<Team> teams = new ArrayList<>();
                Throwable thrown = null;
                while (thrown == null) {
                    if (world.pe() == 2) {
                        ids.clear();
                        ids.add(world.newTeamId());
                    }
                    world.team().barrier();
                    TeamId id = Objects.requireNonNull(ids.peek());
                    thrown = catchThrowable(() -> teams.add(world.formTeam(id, 4, world.pe())));
                    world.team().barrier();
                }
                assertThat(thrown)
                        .isInstanceOfAny(CoterieException.class, IllegalStateException.class)
                        .hasMessageContaining("PE 2 has no memory for the team's synchronization");
                assertThat(teams).hasSize(3);
                teams.forEach(Team::destroy);
                assertThat(areaOf(world).used()).isEqualTo(world.pe() == 2 ? slotBytes(4) : 0);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void idsThatNobodyUsesTakeMemoryUntilThereIsNoMore(boolean direct) {
        set(Setting.TEAM_SYNC_KIB, "4");
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                List<TeamId> ids = new ArrayList<>();
                assertThatThrownBy(() -> {
                            while (ids.size() < 100) {
                                ids.add(world.newTeamId());
                            }
                        })
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining("newTeamId on PE " + world.pe() + ": no memory for another id");
                assertThat(ids).hasSize(4).doesNotHaveDuplicates();
                world.formTeam(ids.get(3), 1, 0).close();
                assertThat(world.newTeamId()).isNotEqualTo(ids.get(3));
            });
        }
    }
}
