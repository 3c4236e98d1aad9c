// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// How a buffer is laid out: a block for each member, or one for all where there is only one vector.
public sealed interface Blocks {

    /// How many there are.
    int count();

    /// Where a block begins, in bytes from the begin of the buffer.
    long offset(int block);

    /// How long it is.
    long bytes(int block);

    /// A block as bytes of a buffer.
    default Span of(Buffer buffer, int block) {
        return new Span(buffer, offset(block), bytes(block));
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
    record Even(int count, long length) implements Blocks {
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

    /// Blocks of any lengths in any order, that don't overlap.
    final class Listed implements Blocks {
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
