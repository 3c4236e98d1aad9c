// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.invoke.VarHandle;
import org.junit.jupiter.api.DisplayName;

/// Operations behind a fence, which the runtime defers over this conduit.
class UcxDeferredTest {
    private static final VarHandle WORD = JAVA_LONG.varHandle();

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("what a fence has held back starts while its PE computes and never calls the runtime")
    void goesOnWhileThePeComputes(World world) {
        int other = 1 - world.pe();
        try (SymmetricMemory memory = world.allocate(3 * Long.BYTES)) {
            IntegerView words = memory.longs();
            for (long round = 1; round <= 200; round++) {
                if (world.pe() == 0) {
                    words.put(0, new long[] {round}, 0, 1, other);
                    world.context().fence();
                    words.atomicSet(1, round, other);
                    while ((long) WORD.getAcquire(memory.segment(), 2L * Long.BYTES) != round) {
                        Thread.onSpinWait(); // computes
                    }
                } else {
                    words.waitUntil(1, Comparison.EQ, round);
                    assertThat(words.get(0)).isEqualTo(round);
                    words.atomicSet(2, round, other);
                    world.context().quiet();
                }
            }
            world.team().barrier();
        }
    }
}
