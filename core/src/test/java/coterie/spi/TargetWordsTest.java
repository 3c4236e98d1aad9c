// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetWordsTest {
    private static final long BEFORE = 0xA5A5_A5A5_A5A5_A5A5L;
    private static final long OPERAND = 0xFEDC_BA98_7654_3210L;

    @ParameterizedTest
    @EnumSource
    @DisplayName("an operation on a word of any width and place returns the word before, and leaves its neighbours")
    void applies(AtomicOperation operation) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16, 8);
            for (int bytes : new int[] {1, 2, 4, 8}) {
                for (int place = 0; place < 16; place += bytes) {
                    memory.fill((byte) BEFORE);
                    long mask = bytes == 8 ? -1 : (1L << (8 * bytes)) - 1;
                    long word = TargetWords.apply(operation, memory, place, bytes, OPERAND);
                    assertThat(word).isEqualTo(BEFORE & mask);
                    long expected = switch (operation) {
                        case FETCH -> BEFORE;
                        case SWAP -> OPERAND;
                        case ADD -> BEFORE + OPERAND;
                        case AND -> BEFORE & OPERAND;
                        case OR -> BEFORE | OPERAND;
                        case XOR -> BEFORE ^ OPERAND;
                    };
                    assertThat(bytes(memory)).isEqualTo(expectedBytes(place, bytes, expected));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8})
    @DisplayName("a word is replaced if it holds the low bytes of what is expected, and only then")
    void swaps(int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(16, 8).fill((byte) BEFORE);

            long mask = bytes == 8 ? -1 : (1L << (8 * bytes)) - 1;
            assertThat(TargetWords.compareAndSwap(memory, bytes, bytes, 1, OPERAND))
                    .isEqualTo(BEFORE & mask);
            assertThat(bytes(memory)).isEqualTo(expectedBytes(bytes, bytes, BEFORE));
            assertThat(TargetWords.compareAndSwap(memory, bytes, bytes, BEFORE, OPERAND))
                    .isEqualTo(BEFORE & mask);
            assertThat(bytes(memory)).isEqualTo(expectedBytes(bytes, bytes, OPERAND));
        }
    }

    private static byte[] bytes(MemorySegment memory) {
        return memory.toArray(JAVA_BYTE);
    }

    private static byte[] expectedBytes(int place, int bytes, long word) {
        byte[] all = new byte[16];
        for (int i = 0; i < all.length; i++) {
            boolean isInWord = i >= place && i < place + bytes;
            all[i] = (byte) (isInWord ? word >>> (8 * (i - place)) : BEFORE);
        }
        return all;
    }
}
