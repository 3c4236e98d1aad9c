// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Alltoallv for data in which many blocks are short. [BruckAlltoall] transfers the begin of each block, up to a
/// cache line, together with those of others; a direct message transfers the rest of a longer block, in steps as
/// those of [PairwiseAlltoall].
///
/// ```
///  blocks     │▒▒▒▒│ │▒│ │▒▒▒▒████████│ │▒▒│
///              ▒ first, in a slot of 64 bytes    █ then, in a direct message
/// ```
///
/// ⌈log_k n⌉ steps, and one more message for each block that is longer than its slot.
///
/// Declines in place: the begins that arrive first would overwrite blocks that the member has not sent.
final class HybridAlltoall {
    private static final long SLOT = 64;

    static void alltoallv(Plan.Builder plan, CollectiveShape shape) {
        int size = shape.size();
        ByteSpan out = plan.scratch(size * SLOT);
        ByteSpan in = plan.scratch(size * SLOT);
        for (int block = 0; block < size; block++) {
            ByteSpan first = first(shape.source(block));
            plan.copy(out.part(block * SLOT, first.bytes()), first);
        }
        plan.next();
        BruckAlltoall.exchange(
                plan, shape, block -> out.part(block * SLOT, SLOT), block -> in.part(block * SLOT, SLOT));
        for (int block = 0; block < size; block++) {
            ByteSpan first = first(shape.target(block));
            plan.copy(first, in.part(block * SLOT, first.bytes()));
        }
        plan.next();
        exchangeRest(plan, shape);
    }

    /// Plans the direct messages. Both sides know the length of a block, and so whether it needs a message.
    private static void exchangeRest(Plan.Builder plan, CollectiveShape shape) {
        plan.copy(rest(shape.target(shape.me())), rest(shape.source(shape.me())));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            ByteSpan sent = rest(shape.source(after));
            ByteSpan received = rest(shape.target(before));
            if (sent.bytes() > 0) {
                plan.send(after, sent);
            }
            if (received.bytes() > 0) {
                plan.receive(before, received);
            }
            plan.next();
        }
    }

    private static ByteSpan first(ByteSpan block) {
        return block.part(0, Math.min(SLOT, block.bytes()));
    }

    private static ByteSpan rest(ByteSpan block) {
        long first = Math.min(SLOT, block.bytes());
        return block.part(first, block.bytes() - first);
    }

    private HybridAlltoall() {}
}
