// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.LongView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

/// Tests which PE gets a lock and when. [LockMisuseConformanceTest] has misuse, [KilledPeConformanceTest]
/// failures.
class LockConformanceTest {
    private static final Duration SHORT = Duration.ofMillis(2);

    /// The long behind a lock at the start of a block.
    private static final long BEHIND = SymmetricLock.BYTES / Long.BYTES;

    @EverySize
    @DisplayName("SH-L1 40 times lock, get, add 1, put and unlock on each PE count to 40 from every PE")
    void incrementsAreNotLost(World world) {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES)) {
            SymmetricLock lock = block.lock(0);
            LongView words = block.longs();
            int last = world.size() - 1;
            for (int i = 0; i < 40; i++) {
                lock.lock();
                words.put(BEHIND, words.get(BEHIND, last) + 1, last);
                lock.unlock();
            }
            world.team().barrier();
            assertThat(words.get(BEHIND, last)).isEqualTo(40L * world.size());
        }
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("SH-L2 a lock that PE 0 holds fails another PE's try, and is acquired by it after PE 0's release")
    void tryingTellsWhetherItIsFree(World world) {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES)) {
            SymmetricLock lock = block.lock(0);
            if (world.pe() == 0) {
                assertThat(lock.tryLock()).isTrue();
            }
            world.team().barrier();
            if (world.pe() != 0) {
                assertThat(lock.tryLock()).isFalse();
                assertThat(lock.tryLock()).isFalse();
            }
            world.team().barrier();
            if (world.pe() == 0) {
                lock.unlock();
            }
            world.team().barrier();
            if (world.pe() == world.size() - 1) {
                assertThat(lock.tryLock()).isTrue();
                lock.unlock();
                lock.lock();
                lock.unlock();
            }
        }
    }

    @EverySize
    @DisplayName("SH-L4 the next holder sees the puts and stores of the last; no other PE puts in between")
    void unlockCompletes(World world) {
        int size = 64;
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES + size * (long) Long.BYTES)) {
            SymmetricLock lock = block.lock(0);
            LongView words = block.longs();
            int rounds = Rounds.of(100);
            for (int round = 0; round < rounds; round++) {
                lock.lock();
                long first = words.get(BEHIND, 0);
                for (int word = 1; word < size; word++) {
                    assertThat(words.get(BEHIND + word, word % world.size())).isEqualTo(first);
                }
                for (int word = 1; word < size; word++) {
                    words.put(BEHIND + word, first + 1, word % world.size());
                }
                words.putNbi(BEHIND, Longs.counting(first + 1, 1), 0, 1, 0);
                lock.unlock();
            }
            world.team().barrier();
            assertThat(words.get(BEHIND, 0)).isEqualTo((long) rounds * world.size());
        }
    }

    @EverySize
    @DisplayName("a lock is one 64-bit word: the words beside it keep what the program has stored")
    void aLockIsOneWord(World world) {
        assertThat(SymmetricLock.BYTES).isEqualTo(Long.BYTES);
        try (SymmetricMemory block = world.allocate(3 * Long.BYTES)) {
            LongView words = block.longs();
            words.set(0, -1);
            words.set(2, -1);
            SymmetricLock lock = block.lock(1);
            for (int round = 0; round < 20; round++) {
                lock.lock();
                lock.unlock();
            }
            world.team().barrier();
            assertThat(words.get(0)).isEqualTo(-1);
            assertThat(words.get(2)).isEqualTo(-1);
        }
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("locks are given in the order of arrival")
    void firstComeFirstServed(World world) {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES)) {
            SymmetricLock lock = block.lock(0);
            LongView words = block.longs();
            for (int round = 0; round < 5; round++) {
                LockQueues.awaitLast(world, words, world.pe());
                lock.lock();
                if (world.pe() == 0) {
                    LockQueues.awaitLast(world, words, world.size());
                }
                long turn = words.get(BEHIND, 0);
                words.put(BEHIND, turn + 1, 0);
                lock.unlock();
                assertThat(turn % world.size()).isEqualTo(world.pe());
                world.team().barrier();
            }
        }
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("a timed acquire times out and names the holder; the queue skips that waiter, which may retry")
    void whoGivesUpIsPassedOver(World world) {
        try (SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES)) {
            SymmetricLock lock = block.lock(0);
            int last = world.size() - 1;
            if (world.pe() == last) {
                lock.lock();
            }
            world.team().barrier();
            if (world.pe() != last) {
                long start = FaceSupport.of(world).nanoTime();
                assertThatThrownBy(() -> lock.lock(SHORT))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("lock on PE " + world.pe())
                        .hasMessageContaining("not within 2 ms; PE " + last + " holds it");
                assertThat(FaceSupport.of(world).nanoTime() - start).isGreaterThanOrEqualTo(SHORT.toNanos());
            }
            world.team().barrier();
            if (world.pe() == last) {
                lock.unlock();
            }
            for (int i = 0; i < 20; i++) {
                lock.lock();
                block.longs().put(BEHIND, block.longs().get(BEHIND, 0) + 1, 0);
                lock.unlock();
            }
            world.team().barrier();
            assertThat(block.longs().get(BEHIND, 0)).isEqualTo(20L * world.size());
        }
    }

    @EverySize
    @DisplayName("locks taken in all ways by all PEs for thousands of rounds let one PE at a time in")
    void stress(World world) {
        int rounds = Rounds.of(2_000, 20_000);
        int locks = 3;
        long stride = SymmetricLock.LONGS;
        try (SymmetricMemory block = world.allocate(locks * SymmetricLock.BYTES);
                SymmetricMemory counts = world.allocate(locks * (long) Long.BYTES)) {
            Random random = new Random(world.pe());
            LongView counters = counts.longs();
            long held = 0;
            for (int round = 0; round < rounds; round++) {
                int which = random.nextInt(locks);
                SymmetricLock lock = block.lock(which * stride);
                if (take(lock, random)) {
                    counters.put(which, counters.get(which, 0) + 1, 0);
                    lock.unlock();
                    held++;
                }
            }
            long total = world.team().sum(held);
            world.team().barrier();
            assertThat(counters.get(0, 0) + counters.get(1, 0) + counters.get(2, 0))
                    .isEqualTo(total);
        }
    }

    private static boolean take(SymmetricLock lock, Random random) {
        int way = random.nextInt(4);
        if (way == 0) {
            return lock.tryLock();
        }
        if (way == 1) {
            lock.lock();
            return true;
        }
        try {
            lock.lock(Duration.ofNanos(1 + random.nextInt(20_000)));
            return true;
        } catch (WaitTimeoutException e) {
            return false; // as meant: the deadlines are as long as a turn
        }
    }
}
