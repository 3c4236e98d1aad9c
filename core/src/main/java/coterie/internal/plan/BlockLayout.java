// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// How a buffer is laid out: a block for each member, or one for all where there is only one vector.
public sealed interface BlockLayout {

    /// How many there are.
    int count();

    /// Where a block begins, in bytes from the begin of the buffer.
    long offset(int block);

    /// How long it is.
    long bytes(int block);

    /// A block as bytes of a buffer.
    default ByteSpan of(PlanBuffer buffer, int block) {
        return new ByteSpan(buffer, offset(block), bytes(block));
    }

    /// Blocks that lie one behind the other, as bytes of a buffer.
    ///
    /// @param first of the blocks
    /// @param blocks how many, at least 0
    /// @throws IllegalArgumentException if they don't lie so
    default ByteSpan of(PlanBuffer buffer, int first, int blocks) {
        if (blocks == 0) {
            return new ByteSpan(buffer, 0, 0);
        }
        long begin = offset(first);
        long end = begin;
        for (int block = first; block < first + blocks; block++) {
            if (offset(block) != end) {
                throw new IllegalArgumentException("blocks [" + first + ", " + (first + blocks)
                        + ") do not lie one behind the other: " + block + " begins at " + offset(block) + ", not at "
                        + end);
            }
            end += bytes(block);
        }
        return new ByteSpan(buffer, begin, end - begin);
    }

    /// Whether all lie one behind the other in their order, from the begin of the buffer.
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

    /// The bytes of all blocks together.
    default long total() {
        long total = 0;
        for (int block = 0; block < count(); block++) {
            total = Math.addExact(total, bytes(block));
        }
        return total;
    }

    /// Blocks of one length, one behind the other.
    record Even(int count, long length) implements BlockLayout {
        @Override
        public long offset(int block) {
            return block * length;
        }

        @Override
        public long bytes(int block) {
            return length;
        }

        @Override
        public ByteSpan of(PlanBuffer buffer, int first, int blocks) {
            return new ByteSpan(buffer, first * length, blocks * length);
        }

        @Override
        public boolean isDense() {
            return true;
        }

        @Override
        public long total() {
            return Math.multiplyExact(count, length);
        }
    }

    /// A vector cut into parts whose lengths differ by a grain at most, between grains. Parts of a vector with
    /// fewer grains than parts may be empty.
    ///
    /// @param count parts, at least 1
    /// @param total bytes of the vector
    /// @param grain bytes that stay together; of the last grain, some may be missing
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

        /// How many there are, with one that is not whole.
        long grains() {
            return (total + grain - 1) / grain;
        }

        @Override
        public ByteSpan of(PlanBuffer buffer, int first, int blocks) {
            return new ByteSpan(buffer, offset(first), offset(first + blocks) - offset(first));
        }

        @Override
        public boolean isDense() {
            return true;
        }
    }

    /// Blocks of any lengths in any order, that don't overlap.
    final class Listed implements BlockLayout {
        private final long[] offsets;
        private final long[] lengths;

        /// @param offsets in bytes
        /// @param lengths in bytes, as many
        public Listed(long[] offsets, long[] lengths) {
            if (offsets.length != lengths.length) {
                throw new IllegalArgumentException(offsets.length + " offsets of " + lengths.length + " blocks");
            }
            this.offsets = offsets.clone();
            this.lengths = lengths.clone();
        }

        /// Blocks of these lengths, one behind the other.
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
    }
}
