// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;

/// What locks refuse.
class LockMisuseConformanceTest {
    private static final Duration SHORT = Duration.ofMillis(2);

    /// The long behind a lock at the start of a block.
    private static final long BEHIND = SymmetricLock.BYTES / Long.BYTES;

    @EverySize
    @DisplayName(
            "SH-L5 taking a lock twice is refused, in any way, and so is letting go of one that is another's or free")
    void misuseIsRefused(World world) {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES)) {
            SymmetricLock lock = block.lock(0);
            String me = " on PE " + world.pe() + ", lock at index 0 of symmetric memory";
            assertThatThrownBy(lock::unlock)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("unlock" + me)
                    .hasMessageContaining("no PE holds it");
            world.team().barrier();
            if (world.pe() == 0) {
                lock.lock();
                for (SymmetricLock handle : List.of(lock, block.lock(0))) {
                    assertThatThrownBy(handle::lock)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageStartingWith("lock" + me)
                            .hasMessageContaining("this PE holds it already");
                    assertThatThrownBy(() -> handle.lock(SHORT)).isInstanceOf(IllegalStateException.class);
                    assertThatThrownBy(handle::tryLock)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageStartingWith("tryLock" + me);
                }
            }
            world.team().barrier();
            if (world.pe() != 0) {
                assertThatThrownBy(lock::unlock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageStartingWith("unlock" + me)
                        .hasMessageContaining("this PE does not hold it; PE 0 holds it");
            }
            world.team().barrier();
            if (world.pe() == 0) {
                lock.unlock();
                assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
            }
            lock.lock();
            lock.unlock();
        }
    }

    @SpmdTest
    @DisplayName("SH-L5 a second thread of a PE that waits for the lock is refused; any thread of the holder lets go")
    void threadsOfAPeAreOneOwner(World world) throws Exception {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES)) {
            SymmetricLock lock = block.lock(0);
            if (world.pe() == 0) {
                lock.lock();
                block.longs().waitUntil(BEHIND, Comparison.EQ, 1);
                inThread(lock::unlock);
            } else {
                LockQueues.awaitLast(world, block.longs(), 1);
                FutureTask<Void> waiting = started(() -> {
                    lock.lock();
                    lock.unlock();
                });
                LockQueues.awaitLast(world, block.longs(), 2);
                assertThatThrownBy(lock::lock)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("another thread of this PE waits for it already");
                assertThat(lock.tryLock()).isFalse();
                block.longs().put(BEHIND, 1, 0);
                waiting.get();
            }
            world.team().barrier();
        }
    }

    private static FutureTask<Void> started(Runnable body) {
        FutureTask<Void> task = new FutureTask<>(body, null);
        new Thread(task).start();
        return task;
    }

    private static void inThread(Runnable body) throws Exception {
        started(body).get();
    }

    @EverySize
    @DisplayName("a lock is refused where the block has no room for it, and once the block is freed")
    void badPlacesAreRefused(World world) {
        SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES);
        for (long index : new long[] {-1, 2, 3, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> block.lock(index))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("lock on PE " + world.pe())
                    .hasMessageContaining("64-bit word " + index + " is outside");
        }
        SymmetricLock lock = block.lock(1);
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> lock.lock(timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("lock on PE " + world.pe() + ": timeout " + timeout + " is not positive");
        }
        lock.lock();
        lock.unlock();
        block.close();
        assertThatThrownBy(lock::lock).isInstanceOf(IllegalStateException.class).hasMessageContaining("was freed");
        assertThatThrownBy(() -> block.lock(1)).isInstanceOf(IllegalStateException.class);
    }
}
