// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.rma.HeapCopies;

/// Collectives that move elements and compute nothing: each member writes into the others' targets, the next one's
/// first, so that they don't all write to the same.
final class Exchanges {
    private final Membership membership;
    private final AgreedRounds rounds;
    private final Collected collected;
    private final HeapCopies copies;

    Exchanges(Membership membership, AgreedRounds rounds, Collected collected, HeapCopies copies) {
        this.membership = membership;
        this.rounds = rounds;
        this.collected = collected;
        this.copies = copies;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(Call call) {
        collected.agree(call);
        try {
            move(call);
            copies.completeForTold();
        } finally {
            rounds.part(call.kind);
        }
        return true;
    }

    private void move(Call call) {
        long bytes = call.length();
        int width = call.width();
        switch (call.type) {
            case BROADCAST -> {
                if (membership.me() == call.root) {
                    toAll(call.to, call.from, bytes);
                }
            }
            case ALLGATHER -> toAll(call.to + membership.me() * bytes, call.from, bytes);
            case ALLGATHERV -> {
                collected.check(call);
                toAll(call.to + collected.before() * width, call.from, bytes);
            }
            case ALLTOALL -> blocks(call.to, call.from, bytes);
            case ALLTOALLV ->
                blocksApart(call.to, call.toStride * width, call.from, call.fromStride * width, width, call.count);
            default -> throw new AssertionError(call.type);
        }
    }

    /// Writes my bytes to the same place of everybody, my own too where that is another than they come from.
    private void toAll(long to, long from, long bytes) {
        if (bytes == 0) {
            return;
        }
        for (int step = 1; step < membership.size(); step++) {
            copies.push(from, bytes, membership.pe(membership.after(step)), to);
        }
        if (to != from) {
            copies.push(from, bytes, membership.myPe(), to);
        }
    }

    /// Writes my blocks of `bytes`: each to one member, where it becomes the block of my number.
    private void blocks(long to, long from, long bytes) {
        if (bytes == 0) {
            return;
        }
        long mine = to + membership.me() * bytes;
        for (int step = 1; step <= membership.size(); step++) {
            int member = membership.after(step);
            copies.push(from + member * bytes, bytes, membership.pe(member), mine);
        }
    }

    /// As [#blocks], of `count` elements of `width` bytes, which are strides apart; those are in bytes.
    private void blocksApart(long to, long toStride, long from, long fromStride, int width, long count) {
        if (count == 0) {
            return;
        }
        long mine = to + membership.me() * count * toStride;
        for (int step = 1; step <= membership.size(); step++) {
            int member = membership.after(step);
            long block = from + member * count * fromStride;
            copies.pushStrided(block, fromStride, width, count, membership.pe(member), mine, toStride);
        }
    }
}
