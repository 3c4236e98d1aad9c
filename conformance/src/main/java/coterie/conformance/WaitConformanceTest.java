// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// Waits for and tests of single words of one's own memory.
class WaitConformanceTest {
    private static final Duration SHORT = Duration.ofNanos(100_000);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @EverySize
    @DisplayName("SH-W1 the six comparisons of 5 with 4, 5 and 6, of every type, by test and by wait")
    void comparisonsAreExact(World world) {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            for (IntegerView words : everyType(block)) {
                words.set(1, 5);
                for (Comparison comparison : Comparison.values()) {
                    for (long operand = 4; operand <= 6; operand++) {
                        assertHolds(words, comparison, operand, truth(comparison, operand));
                    }
                }
            }
        }
    }

    private static void assertHolds(IntegerView words, Comparison comparison, long operand, boolean expected) {
        assertThat(words.test(1, comparison, operand))
                .as("%s %s %s", words.type(), comparison, operand)
                .isEqualTo(expected);
        if (expected) {
            assertThat(words.waitUntil(1, comparison, operand)).isEqualTo(5);
            assertThat(words.waitUntil(1, comparison, operand, SHORT)).isEqualTo(5);
        } else {
            assertThatThrownBy(() -> words.waitUntil(1, comparison, operand, SHORT))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining(comparison + " " + operand + " (it is 5)");
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

    private static List<IntegerView> everyType(SymmetricMemory block) {
        List<IntegerView> types = new ArrayList<>();
        for (IntegerView signed : List.of(block.bytes(), block.shorts(), block.ints(), block.longs())) {
            types.add(signed);
            types.add(signed.unsigned());
        }
        return types;
    }

    @EverySize
    @DisplayName(
            "SH-W2 a word whose top bit alone is set is greater than 1 as unsigned, less as signed, of every width")
    void signsCount(World world) {
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory block = world.allocate(Long.BYTES)) {
            for (IntegerView signed : List.of(block.bytes(), block.shorts(), block.ints(), block.longs())) {
                IntegerView unsigned = signed.unsigned();
                int bits = signed.type().byteSize() * Byte.SIZE;
                long topBit = 1L << (bits - 1);
                long negative = -1L << (bits - 1);
                world.team().barrier();
                signed.put(0, topBit, left);
                assertThat(unsigned.waitUntil(0, Comparison.GT, 1)).isEqualTo(topBit);
                assertThat(signed.waitUntil(0, Comparison.LT, 1)).isEqualTo(negative);
                assertThat(unsigned.test(0, Comparison.GT, 1)).isTrue();
                assertThat(unsigned.test(0, Comparison.LT, 1)).isFalse();
                assertThat(signed.test(0, Comparison.GT, 1)).isFalse();
                assertThat(unsigned.test(0, Comparison.EQ, topBit)).isTrue();
                assertThat(signed.test(0, Comparison.EQ, negative)).isTrue();
                assertThatThrownBy(() -> signed.waitUntil(0, Comparison.GT, 1, SHORT))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("GT 1 (it is " + negative + ")");
                assertThatThrownBy(() -> unsigned.waitUntil(0, Comparison.LT, 1, SHORT))
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("(it is " + Long.toUnsignedString(topBit) + ")");
                world.team().barrier();
                signed.set(0, 0);
            }
        }
    }

    @EverySize
    @DisplayName("SH-W8 a plain store by another thread of my own, and its fence, wake me")
    void wakesOnALocalStore(World world) throws Exception {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            LongView words = block.longs();
            FutureTask<Void> writing = new FutureTask<>(() -> {
                words.set(1, 8);
                world.context().fence();
                words.set(0, 9);
                world.context().fence();
                return null;
            });
            new Thread(writing).start();
            assertThat(words.waitUntil(0, Comparison.EQ, 9)).isEqualTo(9);
            assertThat(words.get(1)).isEqualTo(8);
            writing.get();
        }
    }

    @EverySize
    @DisplayName("SH-W9 a loop of tests and of nothing else ends when another PE has put the value")
    void testsMakeProgress(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            for (IntegerView words : everyType(block)) {
                world.team().barrier();
                words.put(1, 77, right);
                while (!words.test(1, Comparison.EQ, 77)) {
                    Thread.onSpinWait();
                }
                world.team().barrier();
                words.set(1, 0);
            }
        }
    }

    @SpmdTest
    @DisplayName("a wait sees what its writer had ordered before, whether it spins, yields or naps")
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
                    words.longs().getAndAdd(0, 1, 1);
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
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            LongView words = block.longs();
            words.set(1, 41);
            long start = FaceSupport.of(world).nanoTime();
            assertThatThrownBy(() -> words.waitUntil(1, Comparison.GE, 4711, Duration.ofMillis(200)))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("waitUntil on PE " + world.pe())
                    .hasMessageContaining("GE 4711 (it is 41)")
                    .hasMessageContaining("200 ms");
            // Only the lower bound is a law: how late it may be depends on the other users of the processors.
            assertThat(FaceSupport.of(world).nanoTime() - start).isGreaterThanOrEqualTo(200_000_000L);
            words.set(1, 4711);
            assertThat(words.waitUntil(1, Comparison.GE, 4711, Duration.ofMillis(200)))
                    .as("the wait may be repeated")
                    .isEqualTo(4711);
        }
    }

    @EverySize
    @DisplayName("SH-W10 so does a wait for a signal, which is unsigned")
    void signalsTimeOut(World world) {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            SignalWord signal = block.signal(1);
            signal.set(-1, world.pe());
            assertThat(signal.waitUntil(Comparison.GT, 1, PATIENCE)).isEqualTo(-1);
            assertThatThrownBy(() -> signal.waitUntil(Comparison.LT, 7, SHORT))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("waitUntil on PE " + world.pe())
                    .hasMessageContaining("LT 7 (it is 18446744073709551615): not within 100000 ns");
        }
    }

    @EverySize
    @DisplayName("several threads of a PE wait at once, each for a word of its own, and each gets its value")
    void threadsWaitAtOnce(World world) throws Exception {
        int right = (world.pe() + 1) % world.size();
        int threads = 4;
        try (SymmetricMemory block = world.allocate(threads * (long) Long.BYTES)) {
            List<FutureTask<Long>> waits = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int index = thread;
                FutureTask<Long> wait =
                        new FutureTask<>(() -> block.longs().waitUntil(index, Comparison.NE, 0, PATIENCE));
                waits.add(wait);
                new Thread(wait).start();
            }
            for (int thread = threads - 1; thread >= 0; thread--) {
                block.longs().put(thread, 100 + thread, right);
                assertThat(waits.get(thread).get()).isEqualTo(100 + thread);
            }
        }
    }

    @EverySize
    @DisplayName("waits refuse a timeout that is not positive, an element outside of the block, and a freed block")
    void refusesBadArguments(World world) {
        SymmetricMemory block = world.allocate(Long.BYTES);
        LongView words = block.longs();
        SignalWord signal = block.signal(0);
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
            assertThatThrownBy(() -> words.waitUntil(0, Comparison.EQ, 1, timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("waitUntil on PE " + world.pe())
                    .hasMessageContaining("is not positive");
            assertThatThrownBy(() -> signal.waitUntil(Comparison.EQ, 1, timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not positive");
        }
        for (long index : new long[] {-1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            refuses(() -> words.waitUntil(index, Comparison.EQ, 0), "waitUntil on PE " + world.pe(), index);
            refuses(() -> words.test(index, Comparison.EQ, 0), "test on PE " + world.pe(), index);
        }
        assertThat(words.waitUntil(0, Comparison.EQ, 0, Duration.ofSeconds(Long.MAX_VALUE)))
                .as("a timeout may be longer than a long has nanoseconds")
                .isZero();
        block.close();
        assertThatThrownBy(() -> words.waitUntil(0, Comparison.EQ, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
        assertThatThrownBy(() -> words.test(0, Comparison.EQ, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> signal.waitUntil(Comparison.EQ, 0)).isInstanceOf(IllegalStateException.class);
    }

    private static void refuses(ThrowingCallable operation, String prefix, long index) {
        assertThatThrownBy(operation)
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining(prefix)
                .hasMessageContaining("element " + index + " is outside the 1 of type LONG");
    }
}
