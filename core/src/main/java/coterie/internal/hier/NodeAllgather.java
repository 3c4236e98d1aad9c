// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import java.util.Arrays;
import java.util.Optional;

/// Allgather(v), `gab`: each node gathers its blocks at its leader, the leaders allgather what they have, each
/// leader broadcasts all on its node.
///
/// The blocks travel node by node. If that is how they lie in the target, all is done there; else in scratch
/// memory as long as all blocks, from which they are copied in the end.
///
/// Between nodes goes the leaders' allgather alone.
final class NodeAllgather {

    static Optional<Plan> allgather(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        NodeTopology topology = plan.topology();
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        Subgroup leaders = plan.group(NodeTopology.Kind.NODE_LEADERS);
        BlockLayout[] mates = new BlockLayout[topology.nodes()];
        Arrays.setAll(mates, place -> blocksOf(shape, topology.node(place, shape.me())));
        BlockLayout nodes = BlockLayout.Listed.dense(
                Arrays.stream(mates).mapToLong(BlockLayout::total).toArray());
        boolean direct = topology.keepsOrder() && shape.target().isDense();
        ByteSpan all = direct ? new ByteSpan(PlanBuffer.TARGET, 0, nodes.total()) : plan.scratch(nodes.total());
        int place = topology.place(shape.me());
        ByteSpan ours = all.part(nodes.offset(place), nodes.bytes(place));
        CollectiveType gather =
                shape.type() == CollectiveType.ALL_GATHER ? CollectiveType.GATHER : CollectiveType.GATHER_V;
        BufferLayout gathered = leaders.hasMe() ? new BufferLayout(ours, mates[place]) : BufferLayout.NONE;
        plan.then(gather, node, 0, direct && shape.inPlace(), BufferLayout.vector(shape.source(0)), gathered);
        plan.then(
                CollectiveType.ALL_GATHER_V, leaders, 0, true, BufferLayout.vector(ours), new BufferLayout(all, nodes));
        plan.broadcast(node, 0, all);
        if (!direct) {
            unpack(plan, all, nodes, mates);
        }
        return plan.build();
    }

    private static void unpack(PlanAssembler plan, ByteSpan all, BlockLayout nodes, BlockLayout[] mates) {
        CollectiveShape shape = plan.shape();
        for (int place = 0; place < mates.length; place++) {
            Subgroup node = plan.topology().node(place, shape.me());
            for (int number = 0; number < node.size(); number++) {
                int member = node.member(number);
                if (member != shape.me() || !shape.inPlace()) {
                    long offset = nodes.offset(place) + mates[place].offset(number);
                    plan.copy(shape.target(member), all.part(offset, mates[place].bytes(number)));
                }
            }
        }
    }

    /// The blocks of a node, one behind the other.
    private static BlockLayout blocksOf(CollectiveShape shape, Subgroup node) {
        if (shape.type() == CollectiveType.ALL_GATHER) {
            return new BlockLayout.Even(node.size(), shape.target().bytes(0));
        }
        return BlockLayout.Listed.dense(
                Arrays.stream(node.members()).mapToLong(shape.target()::bytes).toArray());
    }

    private NodeAllgather() {}
}
