// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.BarrierSet;
import coterie.CollectiveMismatchException;
import coterie.HeapStatistics;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What remains of a reallocation in which a PE fails, and what a PE knows of the others' memory.
@ExtendWith(TestSettings.class)
class TeamHeapTest {
    @ParameterizedTest
    @CsvSource({
        "true,reallocate:0", "true,reallocate:1", "true,move:0",
        "false,reallocate:0", "false,reallocate:1", "false,move:0"
    })
    void aPeThatFailsWhileABlockMovesLeavesTheOldOneToTheOthers(boolean direct, String fault) {
        set(Setting.FAULT, fault + "@1=fail");
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(1000);
                SymmetricMemory behind = world.allocate(1000);
                block.segment().fill((byte) 7);
                HeapStatistics before = world.heapStatistics();
                job.meet();
                if (world.pe() == 1) {
                    block.reallocate(5000);
                }
                for (int attempt = 0; attempt < 2; attempt++) {
                    assertThatThrownBy(() -> block.reallocate(5000))
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(1))
                            .hasMessageContaining("reallocate")
                            .hasMessageContaining("PE 1 failed");
                }
                assertThat(block.segment().toArray(JAVA_BYTE)).hasSize(1000).containsOnly(7);
                assertThat(world.heapStatistics().usedBytes()).isEqualTo(before.usedBytes());
                assertThat(world.heapStatistics().blocks()).isEqualTo(2);
                block.longs().put(0, 0x0707_0707_0707_0707L, 2);
                assertThat(behind.segment().toArray(JAVA_BYTE)).containsOnly(0);
            });
            assertThat(failures).containsOnlyKeys(1);
            assertThat(failures.get(1)).hasMessageContaining("planted fault");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPeThatFailsOnceAllHaveCopiedDoesNotKeepTheOthersFromTheNewBlock(boolean direct) {
        set(Setting.FAULT, "move:3@1=fail");
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(1000);
                SymmetricMemory behind = world.allocate(1000);
                block.segment().fill((byte) 7);
                job.meet();
                SymmetricMemory longer = block.reallocate(5000);
                assertThat(longer.segment().asSlice(0, 1000).toArray(JAVA_BYTE)).containsOnly(7);
                assertThat(behind.segment().toArray(JAVA_BYTE)).containsOnly(0);
                assertThatThrownBy(block::segment).isInstanceOf(IllegalStateException.class);
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMemberThatIsGoneIsNamedAndTheBlockStaysInPlace(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(64);
                job.meet();
                if (world.pe() == 0) {
                    throw new IllegalStateException("meant to fail");
                }
                for (long byteSize : new long[] {16, 1 << 20, 0}) {
                    assertThatThrownBy(() -> block.reallocate(byteSize))
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(0));
                }
                block.segment().set(JAVA_LONG, 56, 1);
                assertThat(world.heapStatistics().usedBytes()).isEqualTo(128);
                assertThat(world.heapStatistics().largestFreeBytes()).isEqualTo((64 << 20) - 128);
            });
            assertThat(failures).containsOnlyKeys(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thePartsOfOthersCanBeHadWhereTheyAreMapped(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(64);
                for (int pe = 0; pe < 3; pe++) {
                    assertThat(block.segment(pe).isPresent()).isEqualTo(direct || pe == world.pe());
                    assertThat(block.isAccessible(pe)).isTrue();
                }
                block.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aClosedWorldHasNoMemory(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                SymmetricMemory empty = world.allocate(0);
                assertThat(world.isAccessible(1)).isTrue();
                world.close();
                assertThat(world.isAccessible(1)).isFalse();
                assertClosed(world, () -> world.allocate(8));
                assertClosed(world, () -> empty.reallocate(8));
                assertClosed(world, world::heapStatistics);
            });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "true,attach:0", "true,attach:1", "true,allocate:0",
        "false,attach:0", "false,attach:1", "false,allocate:0"
    })
    void aMemberThatFailsInATeamsAllocationIsNamedAndTheOthersLoseNoMemory(boolean direct, String fault) {
        set(Setting.FAULT, fault + "@1=fail");
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().splitStrided(0, 1, 3);
                job.meet();
                if (team.isValid()) {
                    assertThatThrownBy(() -> team.allocate(1000))
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(1));
                    assertThat(world.heapStatistics().usedBytes()).isZero();
                    Team survivors = team.survivors();
                    SymmetricMemory memory = survivors.allocate(1000);
                    memory.longs().put(0, 7, 1 - survivors.member());
                    survivors.barrier();
                    assertThat(memory.longs().get(0)).isEqualTo(7);
                    memory.close();
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void livingMembersFreeTheMemoryOfATeamWithAFailedMember(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().splitStrided(0, 1, 4);
                SymmetricMemory first = team.allocate(1000);
                SymmetricMemory second = team.allocate(3000);
                SymmetricMemory ofWorld = world.allocate(5000);
                job.meet();
                if (world.pe() == 2) {
                    throw new IllegalStateException("meant to fail");
                }
                assertThatThrownBy(first::free).isInstanceOf(PeFailedException.class);
                assertThat(first.longs().get(0)).isZero();
                second.freeLiving();
                ofWorld.freeLiving();
                assertThat(world.heapStatistics().blocks()).isEqualTo(1);
                SymmetricMemory other = world.pe() == 0 ? team.allocate(0) : first;
                other.freeLiving();
                if (world.pe() == 0) {
                    first.freeLiving();
                }
                assertThat(world.heapStatistics().usedBytes()).isZero();
                team.close();
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void livingMembersThatFreeDifferentBlocksKeepBoth(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                Team team = world.team().splitStrided(0, 1, 3);
                SymmetricMemory first = team.allocate(1000);
                SymmetricMemory second = team.allocate(1000);
                job.meet();
                team.revoke();
                assertThatThrownBy((world.pe() == 1 ? second : first)::freeLiving)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining(
                                "close of symmetric memory on team \"" + team.name() + "\", PE " + world.pe());
                first.freeLiving();
                second.freeLiving();
                assertThat(world.heapStatistics().usedBytes()).isZero();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBarrierWithAKeyEndsWhenAMemberFails(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                BarrierSet barriers = world.team().createBarriers(2);
                barriers.arrive(1);
                barriers.await(1);
                job.meet();
                if (world.pe() == 2) {
                    throw new IllegalStateException("meant to fail");
                }
                for (int attempt = 0; attempt < 2; attempt++) {
                    assertThatThrownBy(() -> {
                                barriers.arrive(0);
                                barriers.await(0);
                            })
                            .isInstanceOfAny(PeFailedException.class, IllegalStateException.class);
                    assertThatThrownBy(() -> {
                                while (!barriers.test(0)) {
                                    world.isAccessible(2);
                                }
                                barriers.arrive(0);
                            })
                            .hasMessageStartingWith("barrier on team")
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(2));
                }
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aTeamThatEndsAfterAFailureKeepsItsMemoryInUse(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                Team team = world.team().splitStrided(0, 1, 3);
                SymmetricMemory memory = team.allocate(1000);
                job.meet();
                if (world.pe() == 2) {
                    throw new IllegalStateException("meant to fail");
                }
                assertThatThrownBy(team::barrier).isInstanceOf(PeFailedException.class);
                team.close();
                assertThatThrownBy(memory::segment).isInstanceOf(IllegalStateException.class);
                assertThat(world.heapStatistics().usedBytes()).isZero();
                assertThat(world.heapStatistics().largestFreeBytes())
                        .isEqualTo(world.heapStatistics().byteSize() - 1024);
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void threadsAllocateForDifferentTeamsAtTheSameTime(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                List<Team> teams =
                        List.of(world.team().duplicate(), world.team().duplicate());
                List<Throwable> thrown = new CopyOnWriteArrayList<>();
                List<Thread> threads = new ArrayList<>();
                for (Team team : teams) {
                    Thread thread = new Thread(() -> {
                        for (int round = 1; round <= 200; round++) {
                            SymmetricMemory memory = team.allocate(64L * round);
                            memory.longs().put(round, team.member() + round, 1 - team.member());
                            team.barrier();
                            assertThat(memory.longs().get(round)).isEqualTo(1 - team.member() + round);
                            memory.free();
                        }
                    });
                    thread.setUncaughtExceptionHandler((_, e) -> thrown.add(e));
                    threads.add(thread);
                    thread.start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertThat(thrown).isEmpty();
                assertThat(world.heapStatistics().usedBytes()).isZero();
            });
        }
    }

    private static void assertClosed(World world, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("on PE " + world.pe() + ": the world was closed");
    }
}
