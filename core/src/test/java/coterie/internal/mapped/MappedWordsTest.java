// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Words of every width at every place, against arithmetic on longs; what lies around them never changes.
class MappedWordsTest {
    /// Neither all zeros nor all ones, so that a neighbour which is masked, shifted or extended wrongly is seen.
    private static final byte AROUND = (byte) 0xA5;

    private static final List<Long> VALUES =
            List.of(0L, 1L, -1L, 0x80L, 0x7FL, 0x8000L, 0x7FFFL, 0x8000_0000L, Long.MIN_VALUE, 0x1122_3344_5566_7788L);

    @AutoClose
    private final Arena arena = Arena.ofShared();

    private final MemorySegment memory = arena.allocate(32, 16);

    private interface OnWord {
        void run(long address, long offset);
    }

    /// Runs it for the word at each aligned place of 16 bytes, and looks at all bytes around it afterwards.
    private void atEveryPlace(int shift, OnWord body) {
        int width = 1 << shift;
        for (long offset = 8; offset < 24; offset += width) {
            memory.fill(AROUND);
            body.run(memory.address() + offset, offset);
            for (long i = 0; i < memory.byteSize(); i++) {
                if (i < offset || i >= offset + width) {
                    assertThat(memory.get(JAVA_BYTE, i))
                            .as("byte %d, beside a word of %d at %d", i, width, offset)
                            .isEqualTo(AROUND);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("a stored word is loaded with zeros above it, and only its bytes have changed")
    void loadsWhatWasStored(int shift) {
        atEveryPlace(shift, (address, offset) -> {
            for (long value : VALUES) {
                MappedWords.store(address, shift, value);
                assertThat(MappedWords.load(address, shift)).isEqualTo(low(value, shift));
                assertThat(MappedWords.loadAcquire(address, shift)).isEqualTo(low(value, shift));
                MappedWords.store(memory, offset, shift, ~value);
                assertThat(MappedWords.load(address, shift)).isEqualTo(low(~value, shift));
            }
        });
    }

    @Test
    @DisplayName("a word is stored into any memory, aligned or not, of heap arrays too")
    void storesUnaligned() {
        for (int shift = 0; shift <= 3; shift++) {
            byte[] bytes = new byte[16];
            MappedWords.store(MemorySegment.ofArray(bytes), 3, shift, 0x1817_1615_1413_1211L);
            for (int i = 0; i < bytes.length; i++) {
                assertThat(bytes[i]).isEqualTo((byte) (i < 3 || i >= 3 + (1 << shift) ? 0 : 0x11 + i - 3));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("every operation leaves what arithmetic gives, returns what was there, and touches nothing beside it")
    void operatesAsArithmetic(int shift) {
        for (AtomicOperation operation : AtomicOperation.values()) {
            LongBinaryOperator expected = switch (operation) {
                case FETCH -> (old, operand) -> old;
                case SWAP -> (old, operand) -> operand;
                case ADD -> Long::sum;
                case AND -> (old, operand) -> old & operand;
                case OR -> (old, operand) -> old | operand;
                case XOR -> (old, operand) -> old ^ operand;
            };
            atEveryPlace(shift, (address, offset) -> {
                for (long old : VALUES) {
                    for (long operand : VALUES) {
                        MappedWords.store(address, shift, old);
                        assertThat(MappedWords.apply(operation, address, shift, operand))
                                .isEqualTo(low(old, shift));
                        assertThat(MappedWords.load(address, shift))
                                .as("%x %s %x", old, operation, operand)
                                .isEqualTo(low(expected.applyAsLong(old, operand), shift));
                    }
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("compare and swap compares the low bits alone, and returns what was there whether it stored or not")
    void comparesLowBits(int shift) {
        atEveryPlace(shift, (address, offset) -> {
            for (long old : VALUES) {
                for (long expected : VALUES) {
                    MappedWords.store(address, shift, old);
                    assertThat(MappedWords.compareAndSwap(address, shift, expected, 0x5B5B_5B5B_5B5B_5B5BL))
                            .isEqualTo(low(old, shift));
                    boolean equal = low(old, shift) == low(expected, shift);
                    assertThat(MappedWords.load(address, shift))
                            .isEqualTo(low(equal ? 0x5B5B_5B5B_5B5B_5B5BL : old, shift));
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    @DisplayName("threads that change words side by side, by stores and by atomics, lose nothing of each other")
    void neighboursLoseNothing(int shift) throws InterruptedException {
        int rounds = 100_000;
        CountDownLatch start = new CountDownLatch(3);
        List<Thread> threads = new ArrayList<>();
        List<String> lost = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            boolean stores = i == 1;
            long address = memory.address() + 8 + ((long) i << shift);
            threads.add(new Thread(() -> {
                start.countDown();
                while (start.getCount() > 0) {
                    Thread.onSpinWait();
                }
                for (int round = 1; round <= rounds; round++) {
                    if (stores) {
                        MappedWords.store(address, shift, round);
                    } else {
                        MappedWords.apply(AtomicOperation.ADD, address, shift, 1);
                    }
                    long found = MappedWords.load(address, shift);
                    if (found != low(round, shift)) {
                        synchronized (lost) {
                            lost.add("round " + round + ": " + found);
                        }
                        return;
                    }
                }
            }));
        }
        memory.fill((byte) 0);
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(lost).isEmpty();
    }

    private static long low(long value, int shift) {
        return shift == 3 ? value : value & (1L << (8 << shift)) - 1;
    }
}
