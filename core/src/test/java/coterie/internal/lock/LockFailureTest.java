// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import coterie.spi.PeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a lock when a PE fails that holds it or waits for it, at any step: no PE hangs, the lock
/// passes over waiters that have failed, and a PE that recovers from a failed holder gets its number.
@ExtendWith(TestSettings.class)
class LockFailureTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void lockIsRefusedAfterAHolderHasFailedUntilAPeRecovers(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                    Queues.awaitLast(world, block, 3);
                    job.awaitWaiting(3, OperationKind.LOCK);
                    throw new IllegalStateException("meant to fail");
                }
                Queues.awaitLast(world, block, world.pe() - 1);
                for (int again = 0; again < 3; again++) {
                    assertRefused(lock::lock, "lock on PE " + world.pe());
                }
                world.team().syncLiving();
                assertRefused(lock::tryLock, "tryLock on PE " + world.pe());
                assertThatThrownBy(lock::unlock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("this PE does not hold it");
                world.team().syncLiving();
                if (world.pe() == 2) {
                    assertThat(lock.lockOrRecover()).hasValue(0);
                    lock.unlock();
                }
                world.team().syncLiving();
                assertThat(lock.lockOrRecover()).isEmpty();
                lock.unlock();
                lock.lock();
                lock.unlock();
            });
            assertThat(failures).containsOnlyKeys(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void eachFailedHolderIsReportedToOneNextHolder(boolean direct) {
        try (LocalJob job = job(5, direct)) {
            List<Integer> reported = new CopyOnWriteArrayList<>();
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() > 0) {
                    Queues.awaitLast(world, block, world.pe() - 1);
                }
                OptionalInt failed = lock.lockOrRecover(Duration.ofSeconds(30));
                failed.ifPresent(reported::add);
                if (world.pe() == 0) {
                    Queues.awaitLast(world, block, 4);
                }
                if (world.pe() < 2) {
                    throw new IllegalStateException("meant to fail");
                }
                lock.unlock();
            });
            assertThat(failures).containsOnlyKeys(0, 1);
            assertThat(reported).containsExactly(0, 1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theLockPassesOverAWaiterThatFails(boolean direct) {
        // PE 2 fails as it begins to wait: linked, between PE 1 and PE 3.
        set(Setting.FAULT, "lock:1@2=fail");
        List<Integer> served = new CopyOnWriteArrayList<>();
        try (LocalJob job = job(5, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                job.meet();
                SymmetricLock lock = block.lock(0);
                if (world.pe() > 0) {
                    Queues.awaitLast(world, block, world.pe() - 1);
                }
                lock.lock();
                if (world.pe() == 0) {
                    Queues.awaitLast(world, block, 4);
                    while (job.segment().status(2).state() != PeState.FAILED) {
                        Thread.onSpinWait();
                    }
                }
                served.add(world.pe());
                lock.unlock();
                world.team().syncLiving();
                assertThat(lock.lockOrRecover()).isEmpty();
                lock.unlock();
            });
            assertThat(failures).containsOnlyKeys(2);
            assertThat(served).containsExactly(0, 1, 3, 4);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aPeThatHadGivenUpMayFail(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricMemory gaveUp = world.allocate(Long.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() > 0) {
                    Queues.awaitLast(world, block, world.pe() - 1);
                }
                if (world.pe() == 1 || world.pe() == 2) {
                    assertThatThrownBy(() -> lock.lock(SHORT)).isInstanceOf(WaitTimeoutException.class);
                    gaveUp.longs().add(0, 1, 0);
                    if (world.pe() == 2) {
                        Queues.awaitLast(world, block, 3);
                        throw new IllegalStateException("meant to fail");
                    }
                } else {
                    lock.lock();
                    while (gaveUp.longs().getAcquire(0, 0) < 2
                            || job.segment().status(2).state() != PeState.FAILED) {
                        Thread.onSpinWait();
                    }
                    lock.unlock();
                }
                world.team().syncLiving();
                lock.lock();
                lock.unlock();
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    /// Step 0: last in the queue, not linked. Step 1: linked. Step 2: releases it. Step 3: another PE holds it,
    /// and this one has not released the nodes. In all of them the PE is no holder any more, or never was.
    @ParameterizedTest
    @CsvSource({
        "0, 3, true",
        "0, 6, true",
        "1, 3, true",
        "1, 6, true",
        "2, 3, true",
        "2, 6, true",
        "3, 3, true",
        "3, 6, true",
        "0, 4, false",
        "1, 4, false",
        "2, 4, false",
        "3, 4, false",
    })
    void thePesThatLiveGoOnWhereverAPeFails(int step, int size, boolean direct) {
        set(Setting.FAULT, "lock:" + step + "@1=fail");
        try (LocalJob job = job(size, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES);
                job.meet();
                lockOften(world, block, new Random(world.pe()));
            });
            assertThat(failures).containsOnlyKeys(1);
            assertThat(failures.get(1)).hasMessageContaining("planted fault at step " + step + " of lock");
        }
    }

    private static void lockOften(World world, SymmetricMemory block, Random random) {
        SymmetricLock lock = block.lock(0);
        long occupied = SymmetricLock.BYTES / Long.BYTES;
        boolean failed = false;
        for (int afterwards = 0; afterwards < 1000; ) {
            failed |= hasFailed(world);
            try {
                if (random.nextBoolean()) {
                    lock.lock(Duration.ofNanos(1 + random.nextInt(20_000)));
                } else {
                    assertThat(lock.lockOrRecover()).isEmpty();
                }
            } catch (WaitTimeoutException e) {
                assertThat(e).hasMessageContaining("not within");
                continue;
            }
            assertThat(block.longs().getAndAdd(occupied, 1, 0)).isZero();
            block.longs().add(occupied, -1, 0);
            lock.unlock();
            afterwards += failed ? 1 : 0;
        }
    }

    /// Whether a PE has failed since the last call.
    private static boolean hasFailed(World world) {
        try {
            world.context().quiet();
            return false;
        } catch (PeFailedException e) {
            return true;
        }
    }

    private static void assertRefused(ThrowingCallable call, String operation) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(0))
                .hasMessageStartingWith(operation + ", lock at index 0 of")
                .hasMessageContaining("PE 0, which held it, failed (exit code 1)")
                .hasMessageContaining("lockOrRecover");
    }
}
