// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Blocks that lie one behind the other, somewhere in a buffer.
///
/// @param begin where the first of them begins
/// @param blocks how they follow each other
/// @param first the first that is there
record BlockRange(PlanBuffer buffer, long begin, BlockLayout blocks, int first) {

    /// All blocks, where they are in a buffer.
    static BlockRange of(PlanBuffer buffer, BlockLayout blocks) {
        return new BlockRange(buffer, blocks.count() == 0 ? 0 : blocks.offset(0), blocks, 0);
    }

    /// Scratch memory for some of the blocks.
    static BlockRange scratch(Plan.Builder plan, BlockLayout blocks, int first, int count) {
        ByteSpan bytes =
                plan.scratch(blocks.of(PlanBuffer.SCRATCH, first, count).bytes());
        return new BlockRange(PlanBuffer.SCRATCH, bytes.offset(), blocks, first);
    }

    /// Some of the blocks.
    ByteSpan of(int from, int count) {
        ByteSpan there = blocks.of(buffer, from, count);
        return count == 0 ? there : new ByteSpan(buffer, begin + there.offset() - blocks.offset(first), there.bytes());
    }
}
