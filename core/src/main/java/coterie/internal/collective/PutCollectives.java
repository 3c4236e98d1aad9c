// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;

/// Collectives that move elements and compute nothing: each member writes into the others' targets, the next one's
/// first, so that they don't all write to the same.
final class PutCollectives {
    private final Membership membership;
    private final VariableCounts counts;
    private final SymmetricCopies copies;

    PutCollectives(Membership membership, VariableCounts counts, SymmetricCopies copies) {
        this.membership = membership;
        this.counts = counts;
        this.copies = copies;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(Call call) {
        counts.agree(call);
        call.awaitsAll();
        move(call);
        copies.completeForNotified();
        return true;
    }

    private void move(Call call) {
        long bytes = call.length();
        int width = call.width();
        switch (call.type) {
            case BROADCAST -> {
                if (membership.me() == call.root) {
                    toAll(call.to, call.from, 0, bytes);
                }
            }
            case ALL_GATHER -> toAll(call.to + membership.me() * bytes, call.from, 0, bytes);
            case ALL_GATHER_V -> {
                counts.check(call);
                toAll(call.to + counts.before() * width, call.from, 0, bytes);
            }
            case ALL_TO_ALL -> toAll(call.to + membership.me() * bytes, call.from, bytes, bytes);
            case ALL_TO_ALL_V ->
                toAllApart(
                        call.to,
                        call.toStride * width,
                        call.from,
                        call.fromStride * width,
                        call.blockLength * width,
                        call.count);
            default -> throw new AssertionError(call.type);
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
