// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import java.util.Optional;

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

    private final CollectiveShape shape;
    private final PlanComposition plan = new PlanComposition();

    private HybridAlltoall(CollectiveShape shape) {
        this.shape = shape;
    }

    static Optional<Plan> alltoallv(CollectiveShape shape) {
        return shape.inPlace() ? Optional.empty() : Optional.of(new HybridAlltoall(shape).plan());
    }

    private Plan plan() {
        int size = shape.size();
        ByteSpan out = plan.scratch(size * SLOT);
        ByteSpan in = plan.scratch(size * SLOT);
        for (int block = 0; block < size; block++) {
            ByteSpan first = first(shape.source(block));
            plan.copy(out.part(block * SLOT, first.bytes()), first);
        }
        BlockLayout slots = new BlockLayout.Even(size, SLOT);
        CollectiveShape together = new CollectiveShape(
                CollectiveType.ALL_TO_ALL, size, shape.me(), 0, 1, false, false, slots, slots, shape.radix());
        plan.then(BruckAlltoall.alltoall(together).orElseThrow(), member -> member, out, in);
        for (int block = 0; block < size; block++) {
            ByteSpan first = first(shape.target(block));
            plan.copy(first, in.part(block * SLOT, first.bytes()));
        }
        return plan.then(
                        rest(),
                        member -> member,
                        all(shape.source(), PlanBuffer.SOURCE),
                        all(shape.target(), PlanBuffer.TARGET))
                .build();
    }

    private static ByteSpan first(ByteSpan block) {
        return block.part(0, Math.min(SLOT, block.bytes()));
    }

    private static ByteSpan rest(ByteSpan block) {
        long first = Math.min(SLOT, block.bytes());
        return block.part(first, block.bytes() - first);
    }

    private static ByteSpan all(BlockLayout blocks, PlanBuffer buffer) {
        long end = 0;
        for (int block = 0; block < blocks.count(); block++) {
            end = Math.max(end, blocks.offset(block) + blocks.bytes(block));
        }
        return new ByteSpan(buffer, 0, end);
    }

    /// Plans the direct messages. Both sides know the length of a block, and so whether it needs a message.
    private Plan rest() {
        Plan.Builder steps = Plan.builder();
        steps.copy(rest(shape.target(shape.me())), rest(shape.source(shape.me())));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            ByteSpan sent = rest(shape.source(after));
            ByteSpan received = rest(shape.target(before));
            if (sent.bytes() > 0) {
                steps.send(after, sent);
            }
            if (received.bytes() > 0) {
                steps.receive(before, received);
            }
            steps.next();
        }
        return steps.build();
    }
}
