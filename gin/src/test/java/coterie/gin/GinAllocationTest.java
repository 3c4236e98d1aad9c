// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.DisplayName;

/// Counts what each PE allocates in operations on direct peers.
class GinAllocationTest {
    /// The first rounds make what later ones use again; that must end before these nanoseconds have passed.
    private static final long WARM = 60_000_000_000L;

    private static final int CLEAN_ROUNDS = 5;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @SpmdTest(pes = 2, timeoutSeconds = 180)
    @DisplayName("puts, values, gets, signals, counters, flushes and waits on direct peers allocate nothing")
    void clean(World world) {
        GinFixture gins = GinFixture.open(world);
        Gin gin = gins.gin(0);
        int right = gins.right();
        RemoteAction arrived = RemoteAction.weakSignalInc(0);
        RemoteAction all = RemoteAction.strongSignalAdd(1, 2);
        RemoteAction va = RemoteAction.weakVaSignalInc(gins.window, 1024);
        LocalAction counted = LocalAction.weakCounterInc(0);
        long[] round = new long[1];
        Runnable operations = () -> {
            round[0]++;
            gin.put(gins.all, right, gins.window, 0, gins.window, 4096, 256, arrived, counted);
            gin.putValue(gins.all, right, gins.window, 512, round[0], 8, va);
            gin.get(gins.all, right, gins.window, 8192, gins.window, 16_384, 64);
            gin.signal(gins.all, right, all);
            gin.flush();
            gin.waitSignal(0, round[0]);
            gin.waitSignal(1, 2 * round[0]);
            gin.waitSignal(gins.window, 1024, round[0]);
            gin.waitCounter(0, round[0]);
        };
        int clean = 0;
        long allocated = -1;
        long start = System.nanoTime();
        while (clean < CLEAN_ROUNDS && world.team().allReduce(Reduction.MAX, System.nanoTime() - start) < WARM) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 64; i++) {
                operations.run();
            }
            allocated = threads.getCurrentThreadAllocatedBytes() - before;
            clean = world.team().allReduce(Reduction.MAX, allocated) == 0 ? clean + 1 : 0;
        }
        assertThat(clean)
                .as("rounds without a byte; the last one allocated %s", allocated)
                .isEqualTo(CLEAN_ROUNDS);
        gins.meet();
        gins.close();
    }
}
