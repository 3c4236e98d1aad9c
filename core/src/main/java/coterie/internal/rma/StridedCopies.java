// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import coterie.internal.mapped.MemoryCopy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Copies blocks that begin a stride apart, on either side. Offsets, strides and lengths are in bytes.
final class StridedCopies {
    private StridedCopies() {}

    /// Returns the bytes from the first block's begin to the last block's end, or [Long#MAX_VALUE] if they
    /// overflow.
    static long span(long stride, long blockLength, long blocks) {
        if (blocks <= 0) {
            return blocks;
        }
        long steps = blocks - 1;
        return Math.multiplyHigh(steps, stride) != 0 || steps * stride < 0 || steps * stride + blockLength < 0
                ? Long.MAX_VALUE
                : steps * stride + blockLength;
    }

    /// Copies blocks. If source and target overlap, the result is as if the source were copied to a buffer first.
    static void copy(
            MemorySegment from,
            long fromOffset,
            long fromStride,
            MemorySegment to,
            long toOffset,
            long toStride,
            long blockLength,
            long blocks) {
        if (fromStride == blockLength && toStride == blockLength) {
            MemoryCopy.copy(from, fromOffset, to, toOffset, blockLength * blocks);
        } else if (overlap(
                from,
                fromOffset,
                span(fromStride, blockLength, blocks),
                to,
                toOffset,
                span(toStride, blockLength, blocks))) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment packed = arena.allocate(blockLength * blocks);
                move(from, fromOffset, fromStride, packed, 0, blockLength, blockLength, blocks);
                move(packed, 0, blockLength, to, toOffset, toStride, blockLength, blocks);
            }
        } else {
            move(from, fromOffset, fromStride, to, toOffset, toStride, blockLength, blocks);
        }
    }

    private static void move(
            MemorySegment from,
            long fromOffset,
            long fromStride,
            MemorySegment to,
            long toOffset,
            long toStride,
            long blockLength,
            long blocks) {
        if (blockLength == Long.BYTES) {
            for (long block = 0; block < blocks; block++) {
                long word = from.get(JAVA_LONG_UNALIGNED, fromOffset + block * fromStride);
                to.set(JAVA_LONG_UNALIGNED, toOffset + block * toStride, word);
            }
        } else if (blockLength == Integer.BYTES) {
            for (long block = 0; block < blocks; block++) {
                int word = from.get(JAVA_INT_UNALIGNED, fromOffset + block * fromStride);
                to.set(JAVA_INT_UNALIGNED, toOffset + block * toStride, word);
            }
        } else {
            for (long block = 0; block < blocks; block++) {
                MemoryCopy.copy(from, fromOffset + block * fromStride, to, toOffset + block * toStride, blockLength);
            }
        }
    }

    private static boolean overlap(
            MemorySegment from, long fromOffset, long fromSpan, MemorySegment to, long toOffset, long toSpan) {
        if (!from.isNative() || !to.isNative()) {
            return false;
        }
        long fromAddress = from.address() + fromOffset;
        long toAddress = to.address() + toOffset;
        return fromAddress < toAddress + toSpan && toAddress < fromAddress + fromSpan;
    }
}
