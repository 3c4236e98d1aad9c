// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.world.TestSettings.job;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.LongView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.internal.world.LocalJob;
import coterie.internal.world.TestSettings;
import java.time.Duration;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// PEs acquire locks in all ways at once, with a counter that only a lock protects.
@ExtendWith(TestSettings.class)
class LockStressTest {
    private static final int ROUNDS = Boolean.getBoolean("coterie.soak") ? 1_000_000 : 30_000;

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "4, true", "8, true", "2, false", "4, false"})
    void nothingIsCountedTwiceNorLost(int size, boolean direct) {
        try (LocalJob job = job(size, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES);
                long counter = SymmetricLock.BYTES / Long.BYTES;
                long held = count(world, block, counter);
                long expected = world.team().sum(held);
                assertThat(block.longs().get(counter, 0)).isEqualTo(expected);
                assertThat(held).as("this PE acquired it at least once").isPositive();
            });
        }
    }

    /// Returns how often this PE held the lock. Timeouts are as long as a turn, so that many waits time out, and
    /// the counter is read and written by single loads and stores.
    private static long count(World world, SymmetricMemory block, long counter) {
        LongView words = block.longs();
        SymmetricLock lock = block.lock(0);
        Random random = new Random(31L * world.size() + world.pe());
        long held = 0;
        for (int round = 0; round < ROUNDS / world.size(); round++) {
            if (take(lock, random)) {
                words.put(counter, words.get(counter, 0) + 1, 0);
                lock.unlock();
                held++;
            }
        }
        world.team().barrier();
        return held;
    }

    private static boolean take(SymmetricLock lock, Random random) {
        switch (random.nextInt(4)) {
            case 0 -> {
                return lock.tryLock();
            }
            case 1 -> {
                lock.lock();
                return true;
            }
            default -> {
                try {
                    lock.lock(Duration.ofNanos(1 + random.nextInt(50_000)));
                    return true;
                } catch (WaitTimeoutException e) {
                    return false;
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void deadlinesThatEndAsTheLockComesLoseNothing(boolean direct) {
        try (LocalJob job = job(2, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(SymmetricLock.BYTES + Long.BYTES);
                SymmetricLock lock = block.lock(0);
                Random random = new Random(world.pe());
                for (int round = 0; round < ROUNDS; round++) {
                    try {
                        lock.lock(Duration.ofNanos(1 + random.nextInt(10_000)));
                    } catch (WaitTimeoutException e) {
                        continue;
                    }
                    assertThat(block.longs().getAndAdd(SymmetricLock.LONGS, 1, 0))
                            .isZero();
                    for (int turns = random.nextInt(300); turns > 0; turns--) {
                        Thread.onSpinWait();
                    }
                    block.longs().add(SymmetricLock.LONGS, -1, 0);
                    lock.unlock();
                }
                world.team().barrier();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void locksSideBySideHaveHomesAllOverAndKeepOutOfEachOthersWay(boolean direct) {
        int locks = 12;
        try (LocalJob job = job(4, direct)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(locks * SymmetricLock.BYTES);
                LongView counters = world.allocate((long) locks * Long.BYTES).longs();
                Random random = new Random(world.pe());
                for (int round = 0; round < ROUNDS / world.size(); round++) {
                    int which = random.nextInt(locks);
                    SymmetricLock lock = block.lock(which * SymmetricLock.LONGS);
                    lock.lock();
                    counters.put(which, counters.get(which, 1) + 1, 1);
                    lock.unlock();
                }
                world.team().barrier();
                long sum = 0;
                for (int which = 0; which < locks; which++) {
                    sum += counters.get(which, 1);
                }
                assertThat(sum).isEqualTo(ROUNDS);
                assertThat(homes(world, block, locks)).containsExactlyInAnyOrder(0, 1, 2, 3);
            });
        }
    }

    /// PE 2 acquires all locks, and all read where the tails are.
    private static Set<Integer> homes(World world, SymmetricMemory block, int locks) {
        long halves = SymmetricLock.BYTES / Integer.BYTES;
        if (world.pe() == 2) {
            for (int which = 0; which < locks; which++) {
                block.lock(which * SymmetricLock.LONGS).lock();
            }
        }
        world.team().barrier();
        Set<Integer> homes = new HashSet<>();
        for (int pe = 0; pe < world.size(); pe++) {
            for (int which = 0; which < locks; which++) {
                if (block.ints().getAcquire(which * halves, pe) != 0) {
                    homes.add(pe);
                }
            }
        }
        world.team().barrier();
        if (world.pe() == 2) {
            for (int which = 0; which < locks; which++) {
                block.lock(which * SymmetricLock.LONGS).unlock();
            }
        }
        return homes;
    }
}
