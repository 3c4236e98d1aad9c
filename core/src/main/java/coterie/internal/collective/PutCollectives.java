// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;

/// Collectives that move elements and compute nothing: each member writes into the others' targets, the next one's
/// first, so that they don't all write to the same.
final class PutCollectives {
    private final Membership membership;
    private final AgreedRounds rounds;
    private final VariableCounts counts;
    private final SymmetricCopies copies;

    PutCollectives(Membership membership, AgreedRounds rounds, VariableCounts counts, SymmetricCopies copies) {
        this.membership = membership;
        this.rounds = rounds;
        this.counts = counts;
        this.copies = copies;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(CollectiveArgs args) {
        counts.agree(args);
        try {
            move(args);
            copies.completeForNotified();
        } finally {
            rounds.awaitRelease(args.kind);
        }
        return true;
    }

    private void move(CollectiveArgs args) {
        long bytes = args.length();
        int width = args.width();
        switch (args.type) {
            case BROADCAST -> {
                if (membership.me() == args.root) {
                    toAll(args.to, args.from, 0, bytes);
                }
            }
            case ALL_GATHER -> toAll(args.to + membership.me() * bytes, args.from, 0, bytes);
            case ALL_GATHER_V -> {
                counts.check(args);
                toAll(args.to + counts.before() * width, args.from, 0, bytes);
            }
            case ALL_TO_ALL -> toAll(args.to + membership.me() * bytes, args.from, bytes, bytes);
            case ALL_TO_ALL_V ->
                toAllApart(
                        args.to,
                        args.toStride * width,
                        args.from,
                        args.fromStride * width,
                        args.blockLength * width,
                        args.count);
            default -> throw new AssertionError(args.type);
        }
    }

    /// Writes to the same place of each member the block for each, my own too where that is another than it comes from.
    ///
    /// @param stride from one block to the next; 0 if there is one for all
    private void toAll(long to, long from, long stride, long bytes) {
        if (bytes == 0) {
            return;
        }
        for (int step = 1; step <= membership.size(); step++) {
            int member = membership.after(step);
            long block = from + member * stride;
            if (member != membership.me() || to != block) {
                copies.push(block, bytes, membership.pe(member), to);
            }
        }
    }

    /// Writes `count` blocks of `bytes` to each member, with strides in bytes between them.
    private void toAllApart(long to, long toStride, long from, long fromStride, long bytes, long count) {
        if (count == 0) {
            return;
        }
        long mine = to + membership.me() * count * toStride;
        for (int step = 1; step <= membership.size(); step++) {
            int member = membership.after(step);
            long block = from + member * count * fromStride;
            copies.pushStrided(block, fromStride, bytes, count, membership.pe(member), mine, toStride);
        }
    }
}
