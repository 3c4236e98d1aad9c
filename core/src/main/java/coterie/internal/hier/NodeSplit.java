// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/// Alltoall(v), `node_split`: what stays on the node all members exchange at once, and at the same time begin what
/// goes to other nodes, in steps in which each sends one block and receives one, so that no member is overrun.
///
/// In place, all of the source is copied to scratch memory first.
///
/// Between nodes goes each block that must, straight.
final class NodeSplit {

    static Optional<Plan> alltoall(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        Subgroup full = plan.group(NodeTopology.Kind.FULL);
        BufferLayout source = shape.inPlace() ? kept(plan) : whole(PlanBuffer.SOURCE, shape.source());
        BufferLayout target = whole(PlanBuffer.TARGET, shape.target());
        IntPredicate far = member -> node.indexOf(member) == Subgroup.NOBODY;
        plan.then(
                CollectiveType.ALL_TO_ALL_V, "pairwise", full, node, only(source, full, far), only(target, full, far));
        IntPredicate near = far.negate();
        plan.beside(CollectiveType.ALL_TO_ALL_V, "linear", node, only(source, node, near), only(target, node, near));
        return plan.build();
    }

    private static BufferLayout whole(PlanBuffer buffer, BlockLayout blocks) {
        return new BufferLayout(new ByteSpan(buffer, 0, blocks.end()), blocks);
    }

    private static BufferLayout kept(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        BlockLayout packed = BlockLayout.Listed.dense(shape.source().lengths().toArray());
        ByteSpan kept = plan.scratch(packed.total());
        for (int block = 0; block < shape.size(); block++) {
            plan.copy(kept.part(packed.offset(block), packed.bytes(block)), shape.source(block));
        }
        return new BufferLayout(kept, packed);
    }

    /// The blocks of a group's members, with nothing in those of other members than some.
    private static BufferLayout only(BufferLayout all, Subgroup group, IntPredicate some) {
        BlockLayout blocks = all.blocks();
        long[] offsets = IntStream.of(group.members())
                .mapToLong(member -> some.test(member) ? blocks.offset(member) : 0)
                .toArray();
        long[] lengths = IntStream.of(group.members())
                .mapToLong(member -> some.test(member) ? blocks.bytes(member) : 0)
                .toArray();
        return new BufferLayout(all.span(), new BlockLayout.Listed(offsets, lengths));
    }

    private NodeSplit() {}
}
