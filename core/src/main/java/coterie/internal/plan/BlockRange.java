// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Consecutive blocks of a layout, at any place in a buffer.
///
/// @param begin offset of the first of them in the buffer
/// @param blocks the layout of all blocks
/// @param first the first block of the range
record BlockRange(PlanBuffer buffer, long begin, BlockLayout blocks, int first) {

    /// Returns all blocks of a vector that is divided as a layout has it.
    static BlockRange of(ByteSpan vector, BlockLayout blocks) {
        return new BlockRange(vector.buffer(), vector.offset(), blocks, 0);
    }

    /// Allocates scratch memory for some of the blocks.
    static BlockRange scratch(Plan.Builder plan, BlockLayout blocks, int first, int count) {
        ByteSpan bytes =
                plan.scratch(blocks.of(PlanBuffer.SCRATCH, first, count).bytes());
        return new BlockRange(PlanBuffer.SCRATCH, bytes.offset(), blocks, first);
    }

    /// Returns the bytes of some of the blocks.
    ByteSpan of(int from, int count) {
        ByteSpan span = blocks.of(buffer, from, count);
        return new ByteSpan(buffer, begin + span.offset() - blocks.offset(first), span.bytes());
    }
}
