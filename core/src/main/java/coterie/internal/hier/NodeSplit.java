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
/// goes to other nodes, in steps in which each sends one block and receives one, so that nobody is overrun.
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
        plan.then(CollectiveType.ALL_TO_ALL_V, "pairwise", full, node, only(source, far), only(target, far));
        plan.beside(CollectiveType.ALL_TO_ALL_V, "linear", node, of(source, node), of(target, node));
        return plan.build();
    }

    private static BufferLayout whole(PlanBuffer buffer, BlockLayout blocks) {
        long end = IntStream.range(0, blocks.count())
                .mapToLong(block -> blocks.offset(block) + blocks.bytes(block))
                .max()
                .orElse(0);
        return new BufferLayout(new ByteSpan(buffer, 0, end), blocks);
    }

    private static BufferLayout kept(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        BlockLayout packed = BlockLayout.Listed.dense(IntStream.range(0, shape.size())
                .mapToLong(shape.source()::bytes)
                .toArray());
        ByteSpan kept = plan.scratch(packed.total());
        for (int block = 0; block < shape.size(); block++) {
            plan.copy(kept.part(packed.offset(block), packed.bytes(block)), shape.source(block));
        }
        return new BufferLayout(kept, packed);
    }

    /// The same with nothing in the other blocks.
    private static BufferLayout only(BufferLayout bufferLayout, IntPredicate blocks) {
        int count = bufferLayout.blocks().count();
        return new BufferLayout(
                bufferLayout.span(),
                new BlockLayout.Listed(
                        IntStream.range(0, count)
                                .mapToLong(block -> blocks.test(block)
                                        ? bufferLayout.blocks().offset(block)
                                        : 0)
                                .toArray(),
                        IntStream.range(0, count)
                                .mapToLong(block -> blocks.test(block)
                                        ? bufferLayout.blocks().bytes(block)
                                        : 0)
                                .toArray()));
    }

    /// The blocks of a group's members.
    private static BufferLayout of(BufferLayout bufferLayout, Subgroup group) {
        int[] members = group.members();
        return new BufferLayout(
                bufferLayout.span(),
                new BlockLayout.Listed(
                        IntStream.of(members)
                                .mapToLong(bufferLayout.blocks()::offset)
                                .toArray(),
                        IntStream.of(members)
                                .mapToLong(bufferLayout.blocks()::bytes)
                                .toArray()));
    }

    private NodeSplit() {}
}
