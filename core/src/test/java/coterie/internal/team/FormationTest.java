// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static coterie.internal.world.TestSettings.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.TeamId;
import coterie.ThreadLevel;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
/// Teams formed by an id, from inside: how they come about, each case in which no PE fails and no team is formed,
/// and what is left.

class FormationTest extends FormationCase {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anyPesInAnyOrderAreATeamAndTheRootNeedNotTakePart(boolean direct) {
        int[] members = {4, 1, 3};
        try (LocalJob job = job(5, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                if (world.pe() == 0) {
                    id.complete(world.newTeamId());
                }
                for (int member = 0; member < 3; member++) {
                    if (members[member] == world.pe()) {
                        Team team = world.formTeam(id.join(), 3, member);
                        assertThat(team.name()).isEqualTo("id 0.1");
                        assertThat(team.pes()).containsExactly(members);
                        assertThat(team.member()).isEqualTo(member);
                        assertThat(team.sum(world.pe())).isEqualTo(8);
                        Team reversed = team.splitStrided(2, -1, 3);
                        assertThat(reversed.pes()).containsExactly(3, 1, 4);
                        team.barrier();
                        reversed.close();
                        team.destroy();
                        assertThat(areaOf(world).used()).isZero();
                    }
                }
            });
        }
    }

    @Test
    void membersOfSeveralNodesMeetAtOneOfThem() {
        try (LocalJob job = LocalJob.onNodes(List.of(0, 1, 0, 1))) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                try (Team team = world.formTeam(id.join(), 4, 3 - world.pe())) {
                    assertThat(team.pes()).containsExactly(3, 2, 1, 0);
                    assertThat(team.sum(world.pe())).isEqualTo(6);
                }
                world.team().barrier();
                assertThat(areaOf(world).used()).isEqualTo(slot);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTeamOfOneNeedsNobody(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                TeamId id = world.newTeamId();
                Team team = world.formTeam(id, 1, 0, new TeamConfig(3), SHORT);
                assertThat(team.pes()).containsExactly(world.pe());
                assertThat(team.config().contexts()).isEqualTo(3);
                assertTooLate(() -> world.formTeam(id, 1, 0), "formed");
                team.destroy();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoBringsANumberThatAnotherHasEndsItForAll(boolean direct) {
        refused(
                direct,
                1,
                world -> world.pe() == 1 ? 0 : world.pe(),
                world -> 3,
                3,
                (world, thrown) -> assertThat(thrown)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll(
                                "formTeam on PE " + world.pe() + ", team \"id 0.1\"",
                                "PE 1 passes number 0, which PE 0 has passed before",
                                "no team is formed"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoBringsAnotherSizeEndsItForAll(boolean direct) {
        refused(
                direct,
                1,
                World::pe,
                world -> world.pe() == 1 ? 2 : 3,
                3,
                (world, thrown) -> assertThat(thrown)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE 1 passes size 2, PE ")
                        .hasMessageContaining(" has passed size 3"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofDifferentConfigsNoTeamIsFormed(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                assertThatThrownBy(() ->
                                world.formTeam(id.join(), 3, world.pe(), new TeamConfig(world.pe() == 2 ? 7 : 5), LONG))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("the configs differ: 7 contexts on PE 2, 5 on PE 0");
                assertThat(areaOf(world).used()).isEqualTo(slot);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPeThatBringsTwoNumbersIsNoTwoMembers(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                if (world.pe() == 1) {
                    assertTwice(() -> world.formTeam(id.join(), 3, 1));
                } else if (world.pe() == 0) {
                    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                        Future<Team> second = other.submit(() -> world.formTeam(id.join(), 3, 2));
                        assertTwice(() -> world.formTeam(id.join(), 3, 0));
                        assertThatThrownBy(second::get).hasMessageContaining("PE 0 passes two numbers, 0 and 2");
                    }
                }
                assertThat(areaOf(world).used()).isEqualTo(slot);
            });
        }
    }

    private static void assertTwice(Callable<Team> call) {
        assertThatThrownBy(call::call)
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("PE 0 passes two numbers, 0 and 2");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPeThatBringsItsNumberTwiceEndsItForBothOfItsThreads(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                if (world.pe() == 0) {
                    try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                        Future<Team> first = other.submit(() -> world.formTeam(id.join(), 2, 0));
                        job.awaitWaiting(0, OperationKind.FORM);
                        assertThatThrownBy(() -> world.formTeam(id.join(), 2, 0))
                                .hasMessageContaining("PE 0 passes number 0, which PE 0 has passed before");
                        assertThatThrownBy(first::get).hasMessageContaining("PE 0 passes number 0");
                    }
                }
                assertThat(areaOf(world).used()).isEqualTo(slot);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ifOneNeverComesTheFirstDeadlineIsEverybodys(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            job.run(world -> {
                long slot = prepare(world, id);
                if (world.pe() % 2 == 0) {
                    if (world.pe() == 2) {
                        job.awaitWaiting(0, OperationKind.FORM);
                    }
                    Duration patience = world.pe() == 0 ? LONG : SHORT;
                    assertThatThrownBy(() -> world.formTeam(id.join(), 3, world.pe() / 2, TeamConfig.DEFAULT, patience))
                            .isInstanceOf(WaitTimeoutException.class)
                            .hasMessageContainingAll(
                                    "timed out on PE 2: members [2] of 3 have not joined",
                                    "PE 0 joined as 0, PE 2 as 1");
                    assertThat(areaOf(world).used()).isEqualTo(slot);
                }
                world.team().barrier();
                assertTooLate(() -> world.formTeam(id.join(), 3, 2), "abandoned: timed out on PE 2");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoComesTooLateIsRefusedAlone(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            CompletableFuture<TeamId> id = new CompletableFuture<>();
            CountDownLatch formed = new CountDownLatch(2);
            job.run(world -> {
                prepare(world, id);
                if (world.pe() < 2) {
                    Team team = world.formTeam(id.join(), 2, world.pe());
                    formed.countDown();
                    world.team().barrier();
                    assertThat(team.sum(1)).isEqualTo(2);
                    assertTooLate(() -> world.formTeam(id.join(), 2, world.pe()), "formed");
                    team.destroy();
                } else {
                    formed.await();
                    assertTooLate(() -> world.formTeam(id.join(), 2, 0), "formed");
                    world.team().barrier();
                }
                world.team().barrier();
                if (world.pe() == 0) {
                    assertThat(world.newTeamId()).as("in the same slot").isNotEqualTo(id.join());
                }
                world.team().barrier();
                assertTooLate(() -> world.formTeam(id.join(), 2, 1), "formed or abandoned");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aThousandTeamsLeaveNothing(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Queue<TeamId> ids = new ConcurrentLinkedQueue<>();
            job.run(world -> {
                long used = -1;
                for (int round = 0; round < 1_000; round++) {
                    if (world.pe() == round % 3) {
                        ids.clear();
                        ids.add(world.newTeamId());
                    }
                    world.team().barrier();
                    TeamId id = Objects.requireNonNull(ids.peek());
                    int member = (world.pe() + round) % 3;
                    if (round % 10 == 9) {
                        TeamConfig config = new TeamConfig(world.pe());
                        assertThatThrownBy(() -> world.formTeam(id, 3, member, config, LONG))
                                .isInstanceOf(CollectiveMismatchException.class);
                    } else {
                        try (Team team = world.formTeam(id, 3, member)) {
                            team.barrier();
                        }
                    }
                    world.team().barrier();
                    if (round == 10) {
                        used = areaOf(world).used();
                    }
                }
                assertThat(rendezvousOf(world).slots()).isEqualTo(1);
                assertThat(areaOf(world).blocks()).isEqualTo(1);
                assertThat(areaOf(world).used()).isEqualTo(used).isEqualTo(slotBytes(3));
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void twoThreadsFormTwoTeamsAtOnce(boolean direct) {
        int rounds = 100;
        try (LocalJob job = job(2, direct)) {
            List<CompletableFuture<TeamId>> ids = new ArrayList<>();
            for (int n = 0; n < 2 * rounds; n++) {
                ids.add(new CompletableFuture<>());
            }
            job.run(world -> {
                if (world.pe() == 1) {
                    ids.forEach(id -> id.complete(world.newTeamId()));
                }
                CyclicBarrier start = new CyclicBarrier(2);
                try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
                    List<Future<?>> done = new ArrayList<>();
                    for (int thread = 0; thread < 2; thread++) {
                        int parity = thread;
                        done.add(threads.submit(() -> {
                            start.await();
                            for (int round = 0; round < rounds; round++) {
                                TeamId id = ids.get(2 * round + (parity + world.pe()) % 2)
                                        .join();
                                try (Team team = world.formTeam(id, 2, (world.pe() + round) % 2)) {
                                    assertThat(team.sum(1)).isEqualTo(2);
                                }
                            }
                            return null;
                        }));
                    }
                    for (Future<?> one : done) {
                        one.get();
                    }
                }
                world.team().barrier();
                assertThat(areaOf(world).used()).isEqualTo(world.pe() == 1 ? 2L * rounds * slotBytes(2) : 0);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({"true,4", "false,4", "true,3", "false,3"})
    void whoeverDecidesAtTheDeadlineAllGetTheSame(boolean direct, int size) {
        int rounds = 300;
        try (LocalJob job = job(4, direct)) {
            Queue<TeamId> ids = new ConcurrentLinkedQueue<>();
            Queue<Object> verdicts = new ConcurrentLinkedQueue<>();
            job.run(world -> {
                for (int round = 0; round < rounds; round++) {
                    if (world.pe() == 3) {
                        ids.clear();
                        verdicts.clear();
                        ids.add(world.newTeamId());
                    }
                    world.team().barrier();
                    if (world.pe() < 3) {
                        TeamId id = Objects.requireNonNull(ids.peek());
                        Duration patience = Duration.ofNanos(1_000L * (1 + round % 100));
                        verdicts.add(verdict(() -> world.formTeam(id, size, world.pe(), TeamConfig.DEFAULT, patience)));
                    }
                    world.team().barrier();
                    assertThat(new HashSet<>(verdicts)).as("round %s", round).hasSize(1);
                    if (size > 3) {
                        assertThat(verdicts).containsOnly(WaitTimeoutException.class);
                    }
                    assertThat(areaOf(world).used()).isEqualTo(world.pe() == 3 ? slotBytes(4) : 0);
                    world.team().barrier();
                }
            });
        }
    }

    /// A PE that joins an abandoned team gets the same verdict in another exception.
    private static Class<?> verdict(Callable<Team> forming) {
        Throwable thrown = catchThrowable(() -> forming.call().close());
        if (thrown instanceof IllegalStateException) {
            assertThat(thrown).hasMessageContaining("abandoned: timed out on PE");
            return WaitTimeoutException.class;
        }
        return thrown == null ? Team.class : thrown.getClass();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIdOfAnEarlierWorldIsNone(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            CompletableFuture<TeamId> old = new CompletableFuture<>();
            job.run(first -> {
                prepare(first, old);
                first.close();
                World world = World.join();
                assertUnknown(world, old.join());
                world.team().barrier();
                if (world.pe() == 0) {
                    TeamId id = world.newTeamId();
                    assertThat(SlotId.of(id).serial())
                            .isEqualTo(SlotId.of(old.join()).serial() + 1);
                }
                world.team().barrier();
                assertThatThrownBy(() -> world.formTeam(old.join(), 2, world.pe(), TeamConfig.DEFAULT, SHORT))
                        .isInstanceOf(IllegalStateException.class);
                world.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsNoIdIsRefused(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                SlotId given = SlotId.of(world.newTeamId());
                assertUnknown(world, new TeamId(42));
                assertUnknown(world, new TeamId(-1));
                assertUnknown(world, new SlotId(2, 0, 1).teamId());
                assertUnknown(world, new SlotId(world.pe(), given.place(), given.serial() + 1).teamId());
                assertUnknown(world, new SlotId(world.pe(), given.place() + 1, given.serial()).teamId());
                world.team().barrier();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void atFunneledOnlyTheThreadThatJoinedForms(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(first -> {
                first.close();
                World world = World.join(ThreadLevel.FUNNELED);
                TeamId id = world.newTeamId();
                try (ExecutorService other = Executors.newSingleThreadExecutor()) {
                    assertThatThrownBy(other.submit(() -> world.formTeam(id, 1, 0))::get)
                            .hasCauseInstanceOf(WrongThreadException.class)
                            .hasMessageContaining("formTeam on PE " + world.pe());
                    assertThatThrownBy(other.submit(world::newTeamId)::get)
                            .hasCauseInstanceOf(WrongThreadException.class)
                            .hasMessageContaining("newTeamId on PE " + world.pe());
                }
                world.formTeam(id, 1, 0).close();
                world.close();
                assertThatThrownBy(world::newTeamId).hasMessageContaining("the world was closed");
                assertThatThrownBy(() -> world.formTeam(id, 1, 0)).hasMessageContaining("the world was closed");
            });
        }
    }
}
