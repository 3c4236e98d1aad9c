// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayName;

/// Counts what the thread of each image allocates in the statements of its loops.
class CoarrayAllocationTest {
    private static final int BATCH = 1_000;

    /// The first rounds make what later ones use again; that must end before these nanoseconds have passed on one
    /// image.
    private static final long WARM = 60_000_000_000L;

    private static final int CLEAN_ROUNDS = 5;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @SpmdTest(pes = 2, timeoutSeconds = 180)
    @DisplayName("elements of other images, atomics, events, locks and sync all allocate nothing")
    void cleanStatements(World world) {
        Images.run(world, scope -> {
            ImageTeam team = scope.team();
            int other = 3 - team.thisImage();
            IntegerCoarray longs = scope.allocateLongs(8);
            DoubleCoarray doubles = scope.allocateDoubles(8);
            EventCoarray event = scope.allocateEvents(1);
            LockCoarray lock = scope.allocateLocks(1);
            assertClean(world, () -> {
                longs.put(0, other, 1);
                longs.set(1, longs.get(2, other));
                doubles.put(0, other, 1.5);
                doubles.set(1, doubles.get(2, other));
                longs.add(3, other, 1);
                longs.getAndAdd(3, other, 1);
                longs.compareAndExchange(4, other, 0, 0);
                event.post(0, other);
                event.await(0);
                lock.lock(0, 1);
                lock.unlock(0, 1);
                team.sync();
            });
        });
    }

    private void assertClean(World world, Runnable statements) {
        int clean = 0;
        long allocated = -1;
        long start = System.nanoTime();
        while (clean < CLEAN_ROUNDS && world.team().allReduce(Reduction.MAX, System.nanoTime() - start) < WARM) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < BATCH; i++) {
                statements.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            clean = world.team().allReduce(Reduction.MAX, allocated) == 0 ? clean + 1 : 0;
        }
        assertThat(clean)
                .as("rounds without a byte; the last one allocated " + allocated)
                .isEqualTo(CLEAN_ROUNDS);
    }
}
