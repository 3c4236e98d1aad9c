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
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What becomes of a lock when a PE fails that holds it or waits for it, at any step: no PE hangs, and PEs with an
/// earlier turn still acquire it.
@ExtendWith(TestSettings.class)
class LockFailureTest {
    private static final Duration SHORT = Duration.ofMillis(5);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aHolderThatFailsIsNamedToAllWhoWaitAndToAllWhoCome(boolean direct) {
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
                    assertLost(lock, "lock on PE " + world.pe(), "PE 0, which holds it, failed (exit code 1)", 0);
                }
                world.team().syncLiving();
                assertThatThrownBy(lock::tryLock)
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("tryLock on PE " + world.pe())
                        .hasMessageContaining("PE 0, which holds it, failed");
                assertThatThrownBy(lock::unlock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("PE 0 holds it");
            });
            assertThat(failures).containsOnlyKeys(0);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aWaiterThatFailsTakesTheLockFromThoseBehindItAlone(boolean direct) {
        // PE 2 fails as it begins to wait: linked, between PE 1 and PE 3.
        set(Setting.FAULT, "lock:1@2=fail");
        try (LocalJob job = job(5, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricMemory lost = world.allocate(Long.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() > 0) {
                    Queues.awaitLast(world, block, world.pe() - 1);
                }
                switch (world.pe()) {
                    case 0 -> {
                        lock.lock();
                        while (lost.longs().atomicFetch(0, 0) < 2) {
                            Thread.onSpinWait(); // a wait of the runtime would end when PE 2 fails
                        }
                        lock.unlock();
                    }
                    case 1, 2 -> {
                        lock.lock();
                        lock.unlock();
                    }
                    default -> {
                        assertLost(lock, "lock on PE " + world.pe(), "PE 2, which waits for it, failed", 2);
                        lost.longs().add(0, 1, 0);
                    }
                }
                world.team().syncLiving();
                assertThatThrownBy(lock::tryLock)
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("PE 2, which holds it, failed");
                world.team().syncLiving();
                assertLost(lock, "lock on PE " + world.pe(), "PE 2, which holds it, failed", 2);
            });
            assertThat(failures).containsOnlyKeys(2);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoHadGivenUpMayFailAndNobodyMinds(boolean direct) {
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
                    while (gaveUp.longs().atomicFetch(0, 0) < 2
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

    /// Step 0: last in the queue, not linked. Step 1: linked. Step 2: holds it and releases it. Step 3: another PE
    /// holds it, and this one has not released the nodes.
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
    void nobodyHangsWhereverAPeFails(int step, int size, boolean direct) {
        set(Setting.FAULT, "lock:" + step + "@1=fail");
        try (LocalJob job = job(size, direct)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES);
                takeUntilLost(world, block, new Random(world.pe()));
            });
            assertThat(failures).containsOnlyKeys(1);
            assertThat(failures.get(1)).hasMessageContaining("planted fault at step " + step + " of lock");
        }
    }

    private static void takeUntilLost(World world, SymmetricMemory block, Random random) {
        SymmetricLock lock = block.lock(0);
        long occupied = SymmetricLock.BYTES / Long.BYTES;
        boolean failed = false;
        // Once the PE has failed, the lock is either lost soon or never.
        for (int afterwards = 0; afterwards < 1000; afterwards += failed ? 1 : 0) {
            try {
                failed |= hasFailed(world);
                lock.lock(Duration.ofNanos(1 + random.nextInt(20_000)));
                assertThat(block.longs().fetchAdd(occupied, 1, 0)).isZero();
                block.longs().add(occupied, -1, 0);
                lock.unlock();
            } catch (WaitTimeoutException e) {
                assertThat(e).hasMessageContaining("not within");
            } catch (PeFailedException e) {
                assertThat(e.failedPes()).containsExactly(1);
                return;
            }
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

    private static void assertLost(SymmetricLock lock, String who, String why, int failed) {
        assertThatThrownBy(lock::lock)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(failed))
                .hasMessageStartingWith(who + ", lock at index 0 of")
                .hasMessageContaining(why);
    }
}
