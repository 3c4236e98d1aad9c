// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Random;
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
            LongView words = memory.longs();
            for (long round = 1; round <= 200; round++) {
                if (world.pe() == 0) {
                    words.put(0, new long[] {round}, 0, 1, other);
                    world.context().fence();
                    words.setRelease(1, round, other);
                    while ((long) WORD.getAcquire(memory.segment(), 2L * Long.BYTES) != round) {
                        Thread.onSpinWait(); // computes
                    }
                } else {
                    words.waitUntil(1, Comparison.EQ, round);
                    assertThat(words.get(0)).isEqualTo(round);
                    words.setRelease(2, round, other);
                    world.context().quiet();
                }
            }
            world.team().barrier();
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("words, small puts and large puts keep the order of the fences between them, in every sequence")
    void keepsTheOrderOfFences(World world) {
        int other = 1 - world.pe();
        long large = 1000;
        Random random = new Random(27);
        try (SymmetricMemory memory = world.allocate((2L + 3 * large) * Long.BYTES)) {
            LongView words = memory.longs();
            for (long round = 1; round <= 2000; round++) {
                int[] counts = random.ints(3, 0, 3).toArray();
                if (world.pe() == 0) {
                    for (int step = 0; step < 3; step++) {
                        long first = 2 + step * large;
                        switch (counts[step]) {
                            case 0 -> words.put(first, round, other);
                            case 1 -> words.put(first, filled(round, 3), 0, 3, other);
                            default -> words.put(first, filled(round, 1000), 0, 1000, other);
                        }
                        world.context().fence();
                    }
                    words.setRelease(1, round, other);
                    words.waitUntil(0, Comparison.EQ, round);
                } else {
                    for (int step = 2; step >= 0; step--) { // a reader that sees a step sees those before it
                        long last = 1 + step * large + new long[] {1, 3, large}[counts[step]];
                        if (step == 2) {
                            words.waitUntil(last, Comparison.EQ, round);
                        } else {
                            assertThat(words.get(last)).isEqualTo(round);
                        }
                    }
                    words.waitUntil(1, Comparison.EQ, round);
                    words.setRelease(0, round, other);
                }
            }
            world.team().barrier();
        }
    }

    private static long[] filled(long value, int length) {
        long[] values = new long[length];
        Arrays.fill(values, value);
        return values;
    }
}
