// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Divides a reduce_scatter(v) of long blocks into several of shorter ones, one after another, so that the scratch
/// memory of an algorithm does not grow with the vector.
///
/// ```
///  blocks of the source    │ 0 a │ 0 b │ 0 c │ 1 a │ 1 b │ 2 a │ 2 b │ 2 c │
///  first plan                0 a               1 a         2 a
///  second plan                     0 b               1 b         2 b
///  third plan                            0 c                           2 c
/// ```
///
/// All members divide alike, since all know the lengths of all blocks. The plans share their scratch memory: a step
/// ends when its messages have arrived. **In place**, source and target begin at the same byte. Plan k writes pieces
/// below byte (k + 1) · piece, and later plans read none of these: a block begins at byte 0 or after it.
///
/// @param algorithm of the pieces
record DividedBlocks(Algorithm algorithm) implements Algorithm {
    /// The scratch memory of a plan is a few pieces, one for each member at most: this much altogether, if the blocks
    /// are not very long.
    private static final long PIECES = 32L << 20;

    /// There are no more plans than this, so that they stay small; pieces of very long blocks are longer.
    private static final long MOST_PLANS = 256;

    @Override
    public Optional<Plan> plan(CollectiveShape shape) {
        long longest = shape.source().lengths().max().orElse(0);
        long least = Math.max(PIECES / shape.size(), Math.ceilDiv(longest, MOST_PLANS));
        long piece = Math.ceilDiv(least, shape.width()) * shape.width();
        if (longest <= piece) {
            return algorithm.plan(shape);
        }
        List<Step> steps = new ArrayList<>();
        long scratchBytes = 0;
        for (long begin = 0; begin < longest; begin += piece) {
            Optional<Plan> part = algorithm.plan(part(shape, begin, piece));
            if (part.isEmpty()) {
                return part; // it declines all parts alike
            }
            steps.addAll(part.get().steps());
            scratchBytes = Math.max(scratchBytes, part.get().scratchBytes());
        }
        return Optional.of(new Plan(steps, scratchBytes));
    }

    private static CollectiveShape part(CollectiveShape shape, long begin, long piece) {
        BlockLayout target = part(shape.target(), begin, piece);
        return shape.with(CollectiveType.REDUCE_SCATTER_V, part(shape.source(), begin, piece), target);
    }

    private static BlockLayout part(BlockLayout blocks, long begin, long piece) {
        long[] offsets = new long[blocks.count()];
        long[] lengths = new long[offsets.length];
        for (int block = 0; block < offsets.length; block++) {
            long before = Math.min(begin, blocks.bytes(block));
            offsets[block] = blocks.offset(block) + before;
            lengths[block] = Math.min(piece, blocks.bytes(block) - before);
        }
        return new BlockLayout.Listed(offsets, lengths);
    }
}
