// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.WaitTimeoutException;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What the other PEs observe when one fails, aborts or disagrees; over loads and stores, and over the conduit's
/// operations.
@ExtendWith(TestSettings.class)
class FailureTest {
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void barriersFailAtOnceAndTheLivingGoOnWhereTheyAskForIt(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                world.team().barrier();
                job.meet();
                failIf(world.pe() == 1);
                for (int round = 0; round < 3; round++) {
                    assertThatThrownBy(() -> world.team().barrier())
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    e -> assertThat(e.failedPes()).containsExactly(1))
                            .hasMessageContaining("barrier #")
                            .hasMessageContaining("PE 1 failed (exit code 1)");
                    assertThat(world.team().syncLiving()).containsExactly(1);
                }
                assertThat(world.failedPes()).containsExactly(1);
                assertThat(world.stoppedPes()).isEmpty();
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aSumFailsFastAndPoisonsTheTeam(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                failIf(world.pe() == 2);
                assertThatThrownBy(() -> world.team().sum(1L)).isInstanceOf(PeFailedException.class);
                assertThatThrownBy(() -> world.team().sum(1.0))
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("can't be used any more: allReduce #1");
                assertThatThrownBy(() -> world.team().barrier())
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("can't be used any more: allReduce #1");
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAllocationThatLosesAMemberIsRefusedOnAllOthers(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory first = world.allocate(64);
                job.meet();
                failIf(world.pe() == 0);
                assertThatThrownBy(() -> world.allocate(1024))
                        .isInstanceOfSatisfying(
                                PeFailedException.class,
                                e -> assertThat(e.failedPes()).containsExactly(0));
                first.longs().put(0, 1, 0);
            });
            assertThat(failures).containsOnlyKeys(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitForAnybodyEndsWhenAPeFailsAndOnceOnly(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory flag = world.allocate(Long.BYTES);
                job.meet();
                failIf(world.pe() == 1);
                if (world.pe() == 0) {
                    assertThatThrownBy(() -> flag.longs().waitUntil(0, Comparison.NE, 0))
                            .isInstanceOf(PeFailedException.class)
                            .hasMessageContaining("word 0 of allocation 1 (8 B), word at offset 0 NE 0 (it is 0)")
                            .hasMessageContaining("PE 1 failed");
                    flag.longs().put(0, 1, 2);
                    assertThat(flag.longs().waitUntil(0, Comparison.NE, 0)).isEqualTo(5);
                } else {
                    awaitInSpiteOf(flag);
                    flag.longs().put(0, 5, 0);
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    private static void awaitInSpiteOf(SymmetricMemory flag) {
        try {
            flag.longs().waitUntil(0, Comparison.EQ, 1);
        } catch (PeFailedException e) {
            assertThat(e.failedPes()).containsExactly(1);
            flag.longs().waitUntil(0, Comparison.EQ, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void differentCollectivesAreNamedOnEveryMemberAndPoisonTheTeam(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                assertThatThrownBy(() -> {
                            if (world.pe() == 2) {
                                world.team().sum(1L);
                            } else {
                                world.team().barrier();
                            }
                        })
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("PEs 0-1 barrier, PE 2 allReduce");
                assertThatThrownBy(() -> world.team().barrier())
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("can't be used any more");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBroadcastThatMembersDisagreeOnOrThatComesTooLateChangesNothing(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                SymmetricMemory source = world.allocate(64);
                SymmetricMemory target = world.allocate(64);
                source.segment().fill((byte) 1);
                world.team().barrier();
                assertThatThrownBy(() -> world.team()
                                .broadcast(target.bytes(), 0, source.bytes(), 0, world.pe() == 0 ? 64 : 32, 0))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("disagree on the count: 64 on PEs [0], 32 on PEs [1, 2]");
                assertThatThrownBy(() -> world.team().broadcast(target.bytes(), 0, source.bytes(), 0, 64, 0))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("can't be used any more");
                assertThat(target.segment().toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void refusedAllocationsLeaveTheHeapAsItWas(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                SymmetricMemory kept = world.allocate(1000);
                assertThatThrownBy(() -> world.allocate(world.pe() == 1 ? 64 : 128))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("disagree on the size: 128 on PEs [0, 2], 64 on PEs [1]");
                assertThatThrownBy(() -> world.allocate(world.pe() == 1 ? -1 : 128))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.allocate(128, world.pe() == 2 ? 24 : 128))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> world.allocate((64 << 20) + 1)).isInstanceOf(SymmetricMemoryException.class);
                SymmetricMemory next = world.allocate(1000);
                assertThat(next.toString()).contains("symmetric memory 2").contains("at offset 1024");
                next.close();
                kept.close();
                assertThat(PeWorld.of(world).leftovers()).isEmpty();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFaultStrikesAtTheStepItIsPlantedAt(boolean direct) {
        set(Setting.FAULT, "barrier:1@1=throw");
        try (LocalJob job = job(2, direct)) {
            Map<Integer, Throwable> failures =
                    job.failures(world -> world.team().barrier());
            // Step 1 comes after the PE has notified all others: the other PE has met it, and goes on.
            assertThat(failures).containsOnlyKeys(1);
            assertThat(failures.get(1)).hasMessageContaining("planted fault at step 1 of barrier");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anAbortEndsEveryWait(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory flag = world.allocate(Long.BYTES);
                job.meet();
                switch (world.pe()) {
                    case 0 -> world.team().barrier();
                    case 1 -> flag.longs().waitUntil(0, Comparison.NE, 0);
                    default -> job.segment().abort(0, 7);
                }
            });
            assertThat(failures).containsOnlyKeys(0, 1);
            assertThat(failures.values())
                    .allSatisfy(e -> assertThat(e)
                            .isInstanceOf(CoterieException.class)
                            .hasMessageContaining("aborted with exit code 7"));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaitEndsAtItsDeadlineAndSaysWhatItSaw(boolean direct) {
        try (LocalJob job = job(1, direct)) {
            job.run(world -> {
                SymmetricMemory flag = world.allocate(Long.BYTES);
                flag.longs().put(0, 3, 0);
                assertThatThrownBy(() -> flag.longs().waitUntil(0, Comparison.GT, 3, Duration.ofMillis(20)))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining(
                                "word 0 of allocation 1 (8 B), word at offset 0 GT 3 (it is 3): not within 20 ms");
                assertThatThrownBy(() -> flag.longs().waitUntil(0, Comparison.GT, 3, Duration.ZERO))
                        .isInstanceOf(IllegalArgumentException.class);
            });
        }
    }

    private static void failIf(boolean it) {
        if (it) {
            throw new IllegalStateException("meant to fail");
        }
    }
}
