// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every size class, at odd addresses, against a copy through the heap.
class MemoryCopyTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 8, 9, 63, 64, 65, 4096, 131_071, 2_621_439, 2_621_440, 5_000_001, 16_777_217})
    void copiesExactlyTheBytesAskedFor(int length) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = random(arena, length + 32, length);
            MemorySegment to = random(arena, length + 32, length + 1);
            byte[] expected = to.toArray(JAVA_BYTE);
            MemorySegment.copy(from, JAVA_BYTE, 5, expected, 11, length);
            MemoryCopy.copy(from, 5, to, 11, length);
            assertThat(to.mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-3_000_000, -1_048_577, -9, -1, 1, 8, 1_048_575, 3_000_000})
    void overlappingRangesAreCopiedAsIfThroughAThirdPlace(int shift) {
        int length = 6_000_000;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = random(arena, length + 2 * Math.abs(shift), shift);
            byte[] expected = memory.toArray(JAVA_BYTE);
            int at = Math.abs(shift);
            System.arraycopy(expected, at, expected, at + shift, length);
            MemoryCopy.copy(memory, at, memory, at + shift, length);
            assertThat(memory.mismatch(MemorySegment.ofArray(expected))).isEqualTo(-1);
        }
    }

    private static MemorySegment random(Arena arena, long byteSize, long seed) {
        byte[] bytes = new byte[(int) byteSize];
        new Random(seed).nextBytes(bytes);
        MemorySegment memory = arena.allocate(byteSize);
        memory.copyFrom(MemorySegment.ofArray(bytes));
        return memory;
    }
}
