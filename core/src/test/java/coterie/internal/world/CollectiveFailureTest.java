// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.IntegerView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A PE that fails within a collective over memory, before it has notified the others of its arrival, or after.
@DisplayName("collectives over memory of which a member fails")
@ExtendWith(TestSettings.class)
class CollectiveFailureTest {
    /// More than a round carries inline, or than bounce buffers hold.
    private static final int MANY = 600;

    private static final int SOURCE = 2000;
    private static final int BYTES = 1 << 15;

    @ParameterizedTest
    @CsvSource({
        "all_reduce:0, true",
        "all_reduce:1, true",
        "all_reduce:1, false",
        "reduce_scatter:0, true",
        "reduce_scatter:1, true",
        "reduce_scatter:1, false",
        "broadcast:0, true",
        "all_gather_v:0, false",
        "all_gather_v:1, true"
    })
    @DisplayName("all others throw, collectives end, and the living members agree on the failed one")
    void failsFastOnAllOthers(String step, boolean direct) {
        set(Setting.FAULT, step + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory memory = world.allocate(BYTES);
                job.meet();
                assertThatThrownBy(() -> call(step, world, memory.longs()))
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(1));
                assertThatThrownBy(() -> world.team().sum(1L))
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("can't be used any more: " + words(step));
                assertLivingAgree(world.team());
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"all_reduce, true", "all_reduce, false", "broadcast, false"})
    @DisplayName("payload of a round that all members have entered is right, whichever member fails after it")
    void whatHasComeIsRight(String collective, boolean direct) {
        set(Setting.FAULT, collective + ":1@1=fail");
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team();
                LongView longs = world.allocate(256).longs();
                longs.set(8, 10 + world.pe());
                team.barrier();
                job.meet();
                if (collective.equals("all_reduce")) {
                    team.allReduce(Reduction.SUM, longs, 0, longs, 8, 1);
                } else {
                    team.broadcast(longs, 0, longs, 8, 1, 1);
                }
                assertThat(longs.get(0)).isEqualTo(collective.equals("all_reduce") ? 33 : 11);
                assertThatThrownBy(() -> team.sum(1L))
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(1));
                assertLivingAgree(team);
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "all_reduce:2, true",
        "all_reduce:3, true",
        "all_reduce:1, false",
        "broadcast:2, true",
        "broadcast:3, true",
        "broadcast:1, false"
    })
    @DisplayName("a member fails as it leaves: right or a named error, and all others are in step after it")
    void failsAsItParts(String step, boolean direct) {
        set(Setting.FAULT, step + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                LongView longs = world.allocate(BYTES).longs();
                for (int i = 0; i < MANY; i++) {
                    longs.set(SOURCE + i, 10 + world.pe());
                }
                world.team().barrier();
                job.meet();
                try {
                    call(step, world, longs);
                    assertThat(longs.get(MANY - 1)).isEqualTo(words(step).equals("allReduce") ? 33 : 10);
                } catch (PeFailedException e) {
                    assertThat(e.failedPes()).containsExactly(1);
                }
                assertThatThrownBy(() -> world.team().sum(1L)).isInstanceOf(PeFailedException.class);
                for (int round = 0; round < 3; round++) {
                    assertLivingAgree(world.team());
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"0@1#4, 1", "0@1#4, 1000", "2@1#3, 1", "2@1#3, 1000", "3@1#3, 1", "3@1#3, 1000"})
    @DisplayName("the root fails as it posts, in a later broadcast: right or a named error, and all are in step")
    void rootFailsAsItPosts(String step, int count) {
        set(Setting.FAULT, "broadcast:" + step + "=fail");
        try (LocalJob job = new LocalJob(4)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                LongView longs = world.allocate(BYTES).longs();
                for (int i = 0; i < count; i++) {
                    longs.set(SOURCE + i, 10 + world.pe());
                }
                Team team = world.team();
                team.barrier();
                job.meet();
                try {
                    for (int root : new int[] {0, 2, 1, 3, 0}) {
                        team.broadcast(longs, 0, longs, SOURCE, count, root);
                        assertThat(longs.get(count - 1)).isEqualTo(10 + root);
                    }
                } catch (PeFailedException e) {
                    assertThat(e.failedPes()).containsExactly(1);
                    assertThat(e).hasMessageContainingAll("PE " + world.pe(), "PE 1 failed");
                }
                for (int round = 0; round < 3; round++) {
                    assertLivingAgree(team);
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    @DisplayName("the running members can close a team that has lost a member in the middle of a plan")
    void teamOfPlansIsClosed(boolean direct) {
        set(Setting.TLS, "p2p");
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                LongView longs = world.allocate(1 << 16).longs();
                Team team = world.team().duplicate();
                team.allReduce(Reduction.SUM, longs, 0, longs, 4000, 4000);
                job.meet();
                if (world.pe() == 1) {
                    throw new AssertionError("the PE fails");
                }
                assertThatThrownBy(() -> team.allReduce(Reduction.SUM, longs, 0, longs, 4000, 4000))
                        .isInstanceOf(PeFailedException.class);
                team.close();
                assertThat(team.isValid()).isFalse();
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    /// Checks that a barrier fails and names the failed PE, and that the living members agree on it, in step.
    private static void assertLivingAgree(Team team) {
        assertThatThrownBy(team::barrier)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(1));
        assertThat(team.syncLiving()).containsExactly(1);
    }

    private static void call(String step, World world, IntegerView longs) {
        Team team = world.team();
        switch (words(step)) {
            case "allReduce" -> team.allReduce(Reduction.SUM, longs, 0, longs, SOURCE, MANY);
            case "reduceScatter" -> team.reduceScatter(Reduction.SUM, longs, 0, longs, 0, MANY);
            case "broadcast" -> team.broadcast(longs, 0, longs, SOURCE, MANY, 0);
            default -> team.allGatherV(longs, 8, longs, 0, world.pe());
        }
    }

    private static String words(String step) {
        return switch (step.substring(0, step.indexOf(':'))) {
            case "all_reduce" -> "allReduce";
            case "reduce_scatter" -> "reduceScatter";
            case "all_gather_v" -> "allGatherV";
            default -> "broadcast";
        };
    }
}
