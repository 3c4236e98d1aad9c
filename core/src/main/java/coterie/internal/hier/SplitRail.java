// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import java.util.Optional;

/// Allreduce of long vectors, `split_rail`: each node reduces and scatters the vector in shares, one for each of
/// its members and nearly as long as each other; those with the same share allreduce it; each node gathers the
/// shares again. All members send to other nodes at the same time, each over a rail of its own if the machine has
/// as many.
///
/// Between nodes goes an allreduce of each share.
///
/// Declines if some nodes have more members than others; and if operands must be reduced in the members' order,
/// and the nodes' members do not follow each other.
final class SplitRail {

    static Optional<Plan> allreduce(PlanAssembler plan) {
        if (!plan.topology().hasNet()) {
            return Optional.empty();
        }
        CollectiveShape shape = plan.shape();
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        ByteSpan source = shape.source(0);
        ByteSpan target = shape.target(0);
        BlockLayout shares = new BlockLayout.Partition(node.size(), source.bytes(), shape.width());
        long mine = shares.bytes(node.index());
        // My share of the target may be in place of others' shares of my source until the node has done with it.
        BufferLayout partial = BufferLayout.vector(plan.scratch(mine));
        BufferLayout share = BufferLayout.vector(target.part(shares.offset(node.index()), mine));
        plan.then(CollectiveType.REDUCE_SCATTER_V, node, 0, false, new BufferLayout(source, shares), partial);
        plan.phase();
        plan.then(CollectiveType.ALL_REDUCE, plan.group(NodeTopology.Kind.NET), 0, false, partial, share);
        plan.phase();
        plan.then(CollectiveType.ALL_GATHER_V, node, 0, true, share, new BufferLayout(target, shares));
        return plan.build();
    }

    private SplitRail() {}
}
