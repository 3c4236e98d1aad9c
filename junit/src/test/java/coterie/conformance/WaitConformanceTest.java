// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

/// Waits for words of one's own memory.
class WaitConformanceTest {
    private static final Duration SHORT = Duration.ofMillis(1);

    @EverySize
    @DisplayName("SH-W1 the six comparisons of 5 with 4, 5 and 6")
    void comparisonsAreExact(World world) {
        try (SymmetricMemory word = world.allocate(Long.BYTES)) {
            Longs.set(word, 0, 5);
            for (Comparison comparison : Comparison.values()) {
                for (long operand = 4; operand <= 6; operand++) {
                    long with = operand;
                    if (truth(comparison, operand)) {
                        assertThat(word.longs().waitUntil(0, comparison, operand))
                                .isEqualTo(5);
                    } else {
                        assertThatThrownBy(() -> word.longs().waitUntil(0, comparison, with, SHORT))
                                .isInstanceOf(WaitTimeoutException.class);
                    }
                }
            }
            Longs.set(word, 0, Long.MIN_VALUE);
            assertThatThrownBy(() -> word.longs().waitUntil(0, Comparison.GT, 1, SHORT))
                    .as("SH-W2 longs are signed")
                    .isInstanceOf(WaitTimeoutException.class);
        }
    }

    /// As a table, since the code under test has the operators.
    private static boolean truth(Comparison comparison, long operand) {
        String below4To6 = switch (comparison) {
            case EQ -> "nyn";
            case NE -> "yny";
            case GT -> "ynn";
            case GE -> "yyn";
            case LT -> "nny";
            case LE -> "nyy";
        };
        return below4To6.charAt((int) operand - 4) == 'y';
    }

    @EverySize
    @DisplayName("SH-W8 a store by another thread of my own wakes me")
    void wakesOnALocalStore(World world) throws InterruptedException {
        try (SymmetricMemory word = world.allocate(Long.BYTES)) {
            VarHandle longs = JAVA_LONG.varHandle();
            Thread writer = new Thread(() -> longs.setRelease(word.segment(), 0L, 9L));
            writer.start();
            assertThat(word.longs().waitUntil(0, Comparison.EQ, 9)).isEqualTo(9);
            writer.join();
        }
    }

    @SpmdTest
    @DisplayName("SH-W9 a wait sees what its writer had ordered before, whether it spins, yields or naps")
    void waitsEndWithTheWord(World world) {
        try (SymmetricMemory words = world.allocate(2 * Long.BYTES)) {
            for (long pauseMicros : new long[] {0, 50, 1_000, 20_000}) {
                if (world.pe() == 0) {
                    long until = System.nanoTime() + pauseMicros * 1_000;
                    while (System.nanoTime() < until) {
                        Thread.onSpinWait();
                    }
                    words.longs().put(1, pauseMicros + 1, 1);
                    world.context().fence();
                    words.longs().fetchAdd(0, 1, 1);
                } else {
                    words.longs().waitUntil(0, Comparison.GT, 0);
                    assertThat(Longs.get(words, 1)).isEqualTo(pauseMicros + 1);
                    Longs.set(words, 0, 0);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-W10 a wait with a timeout of 200 ms ends then, with value and condition in the message")
    void timesOut(World world) {
        try (SymmetricMemory words = world.allocate(2 * Long.BYTES)) {
            Longs.set(words, 1, 41);
            long start = System.nanoTime();
            assertThatThrownBy(() -> words.longs().waitUntil(1, Comparison.GE, 4711, Duration.ofMillis(200)))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("waitUntil on PE " + world.pe())
                    .hasMessageContaining("41")
                    .hasMessageContaining("GE 4711")
                    .hasMessageContaining("200 ms");
            // Only the lower bound is a law: how late it may be depends on who else uses the processors.
            assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
            Longs.set(words, 1, 4711);
            assertThat(words.longs().waitUntil(1, Comparison.GE, 4711, Duration.ofMillis(200)))
                    .as("the wait may be repeated")
                    .isEqualTo(4711);
        }
    }

    @EverySize
    @DisplayName("waitUntil refuses a timeout that is not positive, and a word outside of the block")
    void refusesBadArguments(World world) {
        try (SymmetricMemory word = world.allocate(Long.BYTES)) {
            assertThatThrownBy(() -> word.longs().waitUntil(0, Comparison.EQ, 1, Duration.ZERO))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("waitUntil on PE " + world.pe())
                    .hasMessageContaining("is not positive");
            assertThatThrownBy(() -> word.longs().waitUntil(1, Comparison.EQ, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("element 1 leaves");
        }
    }
}
