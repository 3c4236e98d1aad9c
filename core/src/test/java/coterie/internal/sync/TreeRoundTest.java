// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ContextOption;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.team.TeamSyncs;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(TestSettings.class)
class TreeRoundTest {
    @BeforeEach
    void everyTeamIsLarge() {
        set(Setting.TREE_SYNC_ABOVE, "0");
    }

    @Test
    void theSettingSaysWhichTeamsAreLarge() {
        set(Setting.TREE_SYNC_ABOVE, "3");
        try (LocalJob job = new LocalJob(4)) {
            job.run(world -> {
                Team small = world.team().splitStrided(0, 1, 3);
                assertThat(TeamSyncs.of(world, world.team()).syncRound()).isInstanceOf(TreeRound.class);
                if (small.isValid()) {
                    assertThat(TeamSyncs.of(world, small).syncRound()).isInstanceOf(FlatRound.class);
                    assertThat(small.sum(1L)).isEqualTo(3);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 11})
    void everyCollectiveWorks(int size) {
        for (boolean direct : new boolean[] {true, false}) {
            try (LocalJob job = job(size, direct)) {
                job.run(TreeRoundTest::useAll);
            }
        }
    }

    private static void useAll(World world) {
        int size = world.size();
        Team all = world.team();
        for (int round = 0; round < 50; round++) {
            assertThat(all.sum((long) world.pe() + round)).isEqualTo(size * (size - 1L) / 2 + (long) size * round);
            assertThat(all.allReduce(Reduction.MAX, (double) world.pe())).isEqualTo(size - 1.0);
            all.barrier();
        }
        SymmetricMemory memory = world.allocate(8L * size * 4);
        memory.longs().put(world.pe(), 100 + world.pe(), (world.pe() + 1) % size);
        all.barrier();
        int left = (world.pe() + size - 1) % size;
        assertThat(memory.longs().get(left)).isEqualTo(100 + left);
        all.barrier();
        memory.longs().set(0, world.pe());
        all.allGatherV(memory.longs(), 2L * size, memory.longs(), 0, world.pe() % 2);
        for (int odd = 1; odd < size; odd += 2) {
            assertThat(memory.longs().get(2L * size + odd / 2)).isEqualTo(odd);
        }
        Team half = all.splitByColor(world.pe() % 2, -world.pe());
        assertThat(half.sum(1L)).isEqualTo(world.pe() % 2 == 0 ? (size + 1) / 2 : size / 2);
        half.close();
        Team.Axes grid = all.split2D(2);
        assertThat(grid.x().sum(1L) * 1.0).isBetween(1.0, 2.0);
        grid.x().close();
        grid.y().close();
        memory.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 5, 11})
    void requestsWork(int size) {
        for (boolean direct : new boolean[] {true, false}) {
            try (LocalJob job = job(size, direct)) {
                job.run(world -> {
                    LongView longs = world.allocate(8L * 3 * size).longs();
                    for (int member = 0; member < size; member++) {
                        longs.set(size + member, member);
                    }
                    Team team = world.team().duplicate();
                    Request gather = team.prepare(Collective.gather(size - 1)
                            .source(longs, 0, 1)
                            .target(longs, size, size)
                            .persistent());
                    Request all = team.prepare(Collective.allToAll()
                            .source(longs, size, size)
                            .target(longs, 2L * size, size)
                            .persistent());
                    for (int round = 0; round < 20; round++) {
                        longs.set(0, round * 100 + world.pe());
                        gather.post();
                        gather.await();
                        boolean isRoot = world.pe() == size - 1;
                        for (int member = 0; member < size; member++) {
                            assertThat(longs.get(size + member)).isEqualTo(isRoot ? round * 100 + member : member);
                            longs.set(size + member, member);
                        }
                        all.post();
                        all.await();
                        for (int member = 0; member < size; member++) {
                            assertThat(longs.get(2L * size + member)).isEqualTo(world.pe());
                        }
                    }
                    team.close();
                });
            }
        }
    }

    @Test
    void allPesOfAJobHaveTheSameSetting() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {});
            set(Setting.TREE_SYNC_ABOVE, "3");
            assertThat(job.failures(world -> {}).values())
                    .hasSize(2)
                    .allSatisfy(e -> assertThat(e)
                            .hasMessageContainingAll(
                                    "setting TREE_SYNC_ABOVE",
                                    "it is 3 on PE",
                                    "but 0 on the PE that has joined first"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 5, 6})
    void whoCallsSomethingElseIsNamedToAllAndTheTeamCanStillEnd(int odd) {
        try (LocalJob job = new LocalJob(7)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                assertThatThrownBy(() -> {
                            if (world.pe() == odd) {
                                team.barrier();
                            } else {
                                team.sum(1L);
                            }
                        })
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PE " + odd + " barrier")
                        .message()
                        .containsPattern("PEs [-, 0-6]* allReduce");
                team.close();
            });
        }
    }

    @Test
    void membersThatDisagreeAreNamedToAll() {
        try (LocalJob job = new LocalJob(6)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                assertThatThrownBy(() -> team.allReduce(world.pe() == 4 ? Reduction.MAX : Reduction.SUM, 1L))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("SUM of LONG (scalar) on PEs [0, 1, 2, 3, 5]")
                        .hasMessageContaining("MAX of LONG (scalar) on PEs [4]");
                team.close();
            });
        }
    }

    @Test
    void aMemberRefusesToCloseATeamThatItStillUses() {
        try (LocalJob job = new LocalJob(5)) {
            job.run(world -> {
                Team team = world.team().duplicate();
                var context = world.pe() == 3 ? team.createContext(ContextOption.PRIVATE) : null;
                assertThat(team.sum(1L)).isEqualTo(5);
                if (context != null) {
                    assertThatThrownBy(team::close)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("PE 3 has a private context");
                    assertThat(team.isValid()).isTrue();
                    context.close();
                }
                team.close();
                assertThat(team.isValid()).isFalse();
            });
        }
    }

    private static Stream<Arguments> deaths() {
        return IntStream.rangeClosed(2, 8)
                .boxed()
                .flatMap(size -> IntStream.range(0, size)
                        .boxed()
                        .flatMap(dead -> IntStream.rangeClosed(0, 2)
                                .boxed()
                                .flatMap(step ->
                                        Stream.of(true, false).map(direct -> Arguments.of(size, dead, step, direct)))));
    }

    /// A member fails at any step: either all other members have completed the round, or none has; no member
    /// hangs; and all can close the team.
    @ParameterizedTest
    @MethodSource("deaths")
    void theLivingAgreeOnWhetherTheyHaveMet(int size, int dead, int step, boolean direct) {
        set(Setting.FAULT, "all_reduce:" + step + "@" + dead + "=fail");
        setLoadStore(direct);
        Map<Integer, Boolean> met = new ConcurrentSkipListMap<>();
        try (LocalJob job = new LocalJob(size)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().duplicate();
                job.meet();
                met.put(world.pe(), meets(team, size, dead));
                assertMissed(team::barrier, dead);
                assertMissed(() -> team.sum(1L), dead);
                assertMissed(team::duplicate, dead);
                team.close();
                assertThat(team.isValid()).isFalse();
                assertThatThrownBy(world::close).isInstanceOf(PeFailedException.class);
            });
            assertThat(failures).containsOnlyKeys(dead);
            assertThat(met).hasSize(size - 1);
            assertThat(met.values())
                    .containsOnly(
                            step == 2 || (step == 1 && met.values().iterator().next()));
        }
    }

    private static boolean meets(Team team, int size, int dead) {
        try {
            assertThat(team.sum(1L)).isEqualTo(size);
            return true;
        } catch (PeFailedException e) {
            assertThat(e.failedPes()).contains(dead);
            return false;
        }
    }

    private static void assertMissed(Runnable collective, int dead) {
        assertThatThrownBy(collective::run)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).contains(dead));
    }

    @Test
    void aPeThatHasClosedWithoutTheOthersJoinsNoOtherWorldOnTheSameLines() {
        set(Setting.FAULT, "free:0@2=fail");
        try (LocalJob job = new LocalJob(4)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory memory = world.allocate(64);
                for (int round = 0; round < 10; round++) {
                    world.team().barrier();
                }
                job.meet();
                assertMissed(memory::free, 2);
                assertMissed(world::close, 2);
                assertThatThrownBy(World::join)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("join on PE " + world.pe())
                        .hasMessageContaining("closed its world without the other PEs");
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }
}
