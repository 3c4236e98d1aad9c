// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// How far rows of blocks reach, and copies of them, against loops over bytes.
class StridedCopiesTest {
    private static final int BYTES = 512;
    private static final int ROUNDS = 3_000;
    private static final List<Long> NUMBERS = List.of(
            1L, 2L, 3L, 1_000L, 1L << 31, 1L << 32, (1L << 62) - 1, 1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE);

    @Test
    @DisplayName("a row reaches from its first byte to its last; what no long counts is the greatest number")
    void spans() {
        assertThat(StridedCopies.span(10, 3, 4)).isEqualTo(33);
        assertThat(StridedCopies.span(Long.MAX_VALUE, 5, 1)).isEqualTo(5);
        assertThat(StridedCopies.span(7, 7, 0)).isZero();
        assertThat(StridedCopies.span(7, 7, -2)).isNegative();
        BigInteger greatest = BigInteger.valueOf(Long.MAX_VALUE);
        for (long blockLength : NUMBERS) {
            for (long stride : NUMBERS) {
                for (long blocks : NUMBERS) {
                    BigInteger exact = BigInteger.valueOf(blocks - 1)
                            .multiply(BigInteger.valueOf(stride))
                            .add(BigInteger.valueOf(blockLength));
                    assertThat(StridedCopies.span(stride, blockLength, blocks))
                            .as("%d blocks of %d, %d apart", blocks, blockLength, stride)
                            .isEqualTo(exact.min(greatest).longValueExact());
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisplayName("copies move the blocks and nothing else, between memories and within one where rows overlap")
    void copies(boolean withinOne) {
        Random random = new Random(4711);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment to = arena.allocate(BYTES);
            MemorySegment from = withinOne ? to : arena.allocate(BYTES);
            byte[] source = new byte[BYTES];
            for (int round = 0; round < ROUNDS; round++) {
                int blockLength = random.nextBoolean() ? 8 >> random.nextInt(2) : 1 + random.nextInt(20);
                int fromStride = blockLength + random.nextInt(3) * random.nextInt(20);
                int toStride = blockLength + random.nextInt(3) * random.nextInt(20);
                int blocks = random.nextInt(1 + (BYTES - blockLength) / Math.max(fromStride, toStride));
                int fromOffset = random.nextInt(BYTES - blockLength - blocks * fromStride + 1);
                int toOffset = random.nextInt(BYTES - blockLength - blocks * toStride + 1);
                random.nextBytes(source);
                from.copyFrom(MemorySegment.ofArray(source));
                byte[] expected = to.toArray(JAVA_BYTE);
                for (int block = 0; block < blocks; block++) {
                    System.arraycopy(
                            source,
                            fromOffset + block * fromStride,
                            expected,
                            toOffset + block * toStride,
                            blockLength);
                }
                StridedCopies.copy(from, fromOffset, fromStride, to, toOffset, toStride, blockLength, blocks);
                assertThat(to.toArray(JAVA_BYTE))
                        .as(
                                "%d blocks of %d, %d apart from %d, to %d apart at %d",
                                blocks, blockLength, fromStride, fromOffset, toStride, toOffset)
                        .isEqualTo(expected);
            }
        }
    }
}
