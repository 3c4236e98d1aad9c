// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static coterie.testing.AllocationAssertions.assertClean;

import coterie.Reduction;
import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Counts what each PE allocates in operations on direct peers.
class GinAllocationTest {
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
        assertClean("the operations", mine -> world.team().allReduce(Reduction.MAX, mine), () -> {
            for (int i = 0; i < 64; i++) {
                operations.run();
            }
        });
        gins.meet();
        gins.close();
    }
}
