// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.world.TestSettings.job;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which PE acquires a lock, and when; over loads and stores, and over the conduit's operations.
@ExtendWith(TestSettings.class)
class LockTest {
    private static final Duration SHORT = Duration.ofMillis(5);
    private static final Duration LONG = Duration.ofSeconds(30);

    /// The word after the lock: whether PE 2's second thread has been refused.
    private static final long REFUSED = SymmetricLock.BYTES / Long.BYTES;

    /// The word after that: whether PE 0 has the lock.
    private static final long HELD = REFUSED + 1;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoComesFirstIsServedFirst(boolean direct) {
        List<Integer> served = new CopyOnWriteArrayList<>();
        try (LocalJob job = job(6, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                    Queues.awaitLast(world, block, world.size() - 1);
                    lock.unlock();
                } else {
                    Queues.awaitLast(world, block, world.pe() - 1);
                    lock.lock();
                    served.add(world.pe());
                    lock.unlock();
                }
                world.team().barrier();
            });
        }
        assertThat(served).containsExactly(1, 2, 3, 4, 5);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void thoseWhoGaveUpArePassedOverAndMayComeAgain(boolean direct) {
        List<Integer> served = new CopyOnWriteArrayList<>();
        try (LocalJob job = job(5, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                LongView gaveUp = world.allocate(Long.BYTES).longs();
                SymmetricLock lock = block.lock(0);
                switch (world.pe()) {
                    case 0 -> {
                        lock.lock();
                        gaveUp.waitUntil(0, Comparison.EQ, 3);
                        Queues.awaitLast(world, block, 4);
                        lock.unlock();
                    }
                    case 1, 2, 3 -> {
                        Queues.awaitLast(world, block, world.pe() - 1);
                        assertThatThrownBy(() -> lock.lock(SHORT))
                                .isInstanceOf(WaitTimeoutException.class)
                                .hasMessageContaining("lock on PE " + world.pe() + ", lock at index 0 of")
                                .hasMessageEndingWith("not within 5 ms; PE 0 holds it");
                        assertThat(lock.tryLock())
                                .as("is in the queue, and does not hold it")
                                .isFalse();
                        gaveUp.add(0, 1, 0);
                    }
                    default -> {
                        Queues.awaitLast(world, block, 3);
                        lock.lock();
                        served.add(4);
                        lock.unlock();
                    }
                }
                world.team().barrier();
                lock.lock(LONG);
                served.add(world.pe());
                lock.unlock();
                world.team().barrier();
            });
        }
        assertThat(served).startsWith(4).hasSize(6).contains(0, 1, 2, 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoGaveUpAndComesAgainInTimeHasItsOldPlace(boolean direct) {
        List<Integer> served = new CopyOnWriteArrayList<>();
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES);
                SymmetricLock lock = block.lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                    Queues.awaitLast(world, block, 2);
                    job.awaitWaiting(1, OperationKind.LOCK);
                    lock.unlock();
                } else {
                    Queues.awaitLast(world, block, world.pe() - 1);
                    if (world.pe() == 1) {
                        assertThatThrownBy(() -> lock.lock(Duration.ofNanos(1)))
                                .isInstanceOf(WaitTimeoutException.class)
                                .hasMessageContaining("not within 1 ns");
                        Queues.awaitLast(world, block, 2);
                    }
                    lock.lock();
                    served.add(world.pe());
                    lock.unlock();
                }
                world.team().barrier();
            });
        }
        assertThat(served).containsExactly(1, 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whereAllHaveGivenUpTheLockIsFree(boolean direct) {
        try (LocalJob job = job(4, direct)) {
            job.run(world -> {
                SymmetricLock lock = world.allocate(SymmetricLock.BYTES).lock(0);
                if (world.pe() == 0) {
                    lock.lock();
                }
                world.team().barrier();
                if (world.pe() != 0) {
                    assertThatThrownBy(() -> lock.lock(SHORT)).isInstanceOf(WaitTimeoutException.class);
                }
                world.team().barrier();
                if (world.pe() == 0) {
                    lock.unlock();
                }
                world.team().barrier();
                for (int turn = 0; turn < world.size(); turn++) {
                    if (world.pe() == turn) {
                        assertThat(lock.tryLock()).isTrue();
                        lock.unlock();
                    }
                    world.team().barrier();
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void misuseIsRefusedAndChangesNothing(boolean direct) {
        try (LocalJob job = job(3, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES + 2 * Long.BYTES);
                SymmetricLock lock = block.lock(0);
                assertThatThrownBy(lock::unlock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("unlock on PE " + world.pe() + ", lock at index 0 of")
                        .hasMessageContaining("this PE does not hold it; no PE holds it");
                world.team().barrier();
                switch (world.pe()) {
                    case 0 -> holdUntilOthersWait(block, lock);
                    case 1 -> {
                        block.longs().waitUntil(HELD, Comparison.EQ, 1); // the last PE of the queue may not hold it yet
                        assertThatThrownBy(lock::unlock)
                                .isInstanceOf(IllegalStateException.class)
                                .hasMessageContaining("this PE does not hold it; PE 0 holds it");
                        assertThat(lock.tryLock()).isFalse();
                        lock.lock();
                        lock.unlock();
                    }
                    default -> waitInTwoThreads(world, block, lock);
                }
                world.team().barrier();
                assertThat(block.lock(0).toString()).startsWith("lock at index 0 of symmetric memory");
            });
        }
    }

    private static void holdUntilOthersWait(SymmetricMemory block, SymmetricLock lock) {
        lock.lock();
        block.longs().put(HELD, 1, 1);
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("lock on PE 0, lock at index 0 of")
                .hasMessageContaining("this PE holds it already");
        assertThatThrownBy(() -> block.lock(0).lock(SHORT))
                .as("by another handle")
                .hasMessageContaining("holds it already");
        assertThatThrownBy(lock::tryLock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("tryLock on PE 0")
                .hasMessageContaining("this PE holds it already");
        block.longs().waitUntil(REFUSED, Comparison.EQ, 1);
        lock.unlock();
    }

    private static void waitInTwoThreads(World world, SymmetricMemory block, SymmetricLock lock) throws Exception {
        Queues.awaitLast(world, block, 1);
        FutureTask<Void> waiting = new FutureTask<>(() -> {
            lock.lock();
            lock.unlock();
            return null;
        });
        new Thread(waiting).start();
        Queues.awaitLast(world, block, 2);
        assertThatThrownBy(lock::lock)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("another thread of this PE waits for it already");
        block.longs().put(REFUSED, 1, 0);
        waiting.get();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofTwoThreadsThatLetGoAtOnceOneIsRefused(boolean direct) {
        int rounds = 500;
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                SymmetricLock lock = world.allocate(SymmetricLock.BYTES).lock(0);
                AtomicInteger arrivals = new AtomicInteger();
                Callable<Integer> lettingGo = () -> {
                    int refused = 0;
                    for (int round = 0; round < rounds; round++) {
                        if (meet(arrivals) % 2 == 0) {
                            lock.lock();
                        }
                        meet(arrivals);
                        try {
                            lock.unlock();
                        } catch (IllegalStateException e) {
                            refused++;
                        }
                        meet(arrivals);
                    }
                    return refused;
                };
                FutureTask<Integer> other = new FutureTask<>(lettingGo);
                new Thread(other).start();
                assertThat(lettingGo.call() + other.get()).isEqualTo(rounds);
            });
        }
    }

    /// Waits for the other of two threads without going to sleep, so that both go on at the same time.
    private static int meet(AtomicInteger arrivals) {
        int mine = arrivals.getAndIncrement();
        while (arrivals.get() < (mine | 1) + 1) {
            Thread.onSpinWait();
        }
        return mine;
    }
}
