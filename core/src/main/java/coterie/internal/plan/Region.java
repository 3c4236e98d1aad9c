// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Blocks that lie one behind the other, somewhere in a buffer.
///
/// @param begin where the first of them begins
/// @param blocks how they follow each other
/// @param first the first that is there
record Region(Buffer buffer, long begin, Blocks blocks, int first) {

    /// All blocks, where they are in a buffer.
    static Region of(Buffer buffer, Blocks blocks) {
        return new Region(buffer, blocks.count() == 0 ? 0 : blocks.offset(0), blocks, 0);
    }

    /// Scratch memory for some of the blocks.
    static Region scratch(Plan.Builder plan, Blocks blocks, int first, int count) {
        Span bytes = plan.scratch(blocks.of(Buffer.SCRATCH, first, count).bytes());
        return new Region(Buffer.SCRATCH, bytes.offset(), blocks, first);
    }

    /// Some of the blocks.
    Span of(int from, int count) {
        Span there = blocks.of(buffer, from, count);
        return count == 0 ? there : new Span(buffer, begin + there.offset() - blocks.offset(first), there.bytes());
    }
}
