// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import java.util.Optional;

/// Alltoallv of blocks many of which are short: the begin of each block, up to a cache line, travels together with
/// others as in [BruckAlltoall], and what is longer goes on to its member by itself, in steps as in
/// [PairwiseAlltoall].
///
/// ```
///  blocks     │▒▒▒▒│ │▒│ │▒▒▒▒████████│ │▒▒│
///              ▒ first in a slot of 64 bytes     █ then by itself
/// ```
///
/// ⌈log_k n⌉ steps, and a message more for each block that is longer than its slot.
///
/// Declines in place: what comes first would be written over what has not gone.
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

    /// Both sides know how long a block is, and so whether there is a message.
    private Plan rest() {
        Plan.Builder steps = Plan.builder();
        steps.copy(rest(shape.target(shape.me())), rest(shape.source(shape.me())));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            ByteSpan goes = rest(shape.source(after));
            ByteSpan comes = rest(shape.target(before));
            if (goes.bytes() > 0) {
                steps.send(after, goes);
            }
            if (comes.bytes() > 0) {
                steps.receive(before, comes);
            }
            steps.next();
        }
        return steps.build();
    }
}
