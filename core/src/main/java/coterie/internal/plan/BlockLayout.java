// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The layout of a buffer: one block for each member, or one block if the collective has only one vector.
public sealed interface BlockLayout {
    /// Returns the number of blocks.
    int count();

    /// Returns the begin of a block, in bytes from the begin of the buffer.
    long offset(int block);

    /// Returns the length of a block, in bytes.
    long bytes(int block);

    /// Returns a block as bytes of a buffer.
    default ByteSpan of(PlanBuffer buffer, int block) {
        return new ByteSpan(buffer, offset(block), bytes(block));
    }

    /// Returns consecutive blocks as bytes of a buffer.
    ///
    /// @param first of the blocks
    /// @param blocks their number, at least 1
    /// @throws IllegalArgumentException if there are gaps between them
    default ByteSpan of(PlanBuffer buffer, int first, int blocks) {
        int last = first + blocks - 1;
        return new ByteSpan(buffer, offset(first), offset(last) + bytes(last) - offset(first));
    }

    /// Returns whether the blocks follow each other without gaps, in their order, from the begin of the buffer.
    default boolean isDense() {
        long end = 0;
        for (int block = 0; block < count(); block++) {
            if (offset(block) != end) {
                return false;
            }
            end += bytes(block);
        }
        return true;
    }

    /// Returns the number of bytes from the begin of the buffer to the end of the last block in it.
    default long end() {
        return IntStream.range(0, count())
                .mapToLong(block -> offset(block) + bytes(block))
                .max()
                .orElse(0);
    }

    /// Returns the lengths of all blocks, in bytes.
    default LongStream lengths() {
        return IntStream.range(0, count()).mapToLong(this::bytes);
    }

    /// Returns the sum of all blocks' lengths, in bytes.
    default long total() {
        return lengths().reduce(0, Math::addExact);
    }

    /// Blocks of one length, without gaps.
    record Even(int count, long length) implements BlockLayout {
        /// No blocks; any block of it is of no bytes.
        public static final Even NONE = new Even(0, 0);

        @Override
        public long offset(int block) {
            return block * length;
        }

        @Override
        public long bytes(int block) {
            return length;
        }

        @Override
        public long total() {
            return Math.multiplyExact(count, length);
        }
    }

    /// A vector that is divided between grains into parts whose lengths differ by at most one grain. If the vector
    /// has fewer grains than parts, some parts are empty.
    ///
    /// @param count number of parts, at least 1
    /// @param total bytes of the vector
    /// @param grain bytes of a unit that is not divided; the last unit may be shorter
    record Partition(int count, long total, long grain) implements BlockLayout {
        @Override
        public long offset(int block) {
            long grains = grains();
            return Math.min(total, grain * (grains / count * block + grains % count * block / count));
        }

        @Override
        public long bytes(int block) {
            return offset(block + 1) - offset(block);
        }

        /// Returns the number of grains, including a shorter last one.
        long grains() {
            return (total + grain - 1) / grain;
        }
    }

    /// Blocks of any lengths, in any order, without overlap.
    final class Listed implements BlockLayout {
        private final long[] offsets;
        private final long[] lengths;

        /// @param offsets in bytes
        /// @param lengths in bytes; as many as there are offsets
        public Listed(long[] offsets, long[] lengths) {
            if (offsets.length != lengths.length) {
                throw new IllegalArgumentException(offsets.length + " offsets for " + lengths.length + " lengths");
            }
            this.offsets = offsets.clone();
            this.lengths = lengths.clone();
        }

        /// Returns blocks of these lengths, without gaps.
        public static Listed dense(long... lengths) {
            long[] offsets = new long[lengths.length];
            for (int block = 1; block < lengths.length; block++) {
                offsets[block] = Math.addExact(offsets[block - 1], lengths[block - 1]);
            }
            return new Listed(offsets, lengths);
        }

        @Override
        public int count() {
            return offsets.length;
        }

        @Override
        public long offset(int block) {
            return offsets[block];
        }

        @Override
        public long bytes(int block) {
            return lengths[block];
        }

        @Override
        public ByteSpan of(PlanBuffer buffer, int first, int blocks) {
            long end = offsets[first];
            for (int block = first; block < first + blocks; block++) {
                if (offsets[block] != end) {
                    throw new IllegalArgumentException(
                            "blocks [" + first + ", " + (first + blocks) + ") are not contiguous: block " + block
                                    + " begins at " + offsets[block] + ", not at " + end);
                }
                end += lengths[block];
            }
            return BlockLayout.super.of(buffer, first, blocks);
        }
    }
}
