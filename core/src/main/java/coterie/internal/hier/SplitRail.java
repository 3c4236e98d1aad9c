// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Blocks;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.plan.Span;
import java.util.Optional;

/// Allreduce of long vectors, `split_rail`: each node reduces and scatters the vector in shares, one for each of
/// its members and nearly as long as each other; those with the same share allreduce it; each node gathers the
/// shares again. All members send to other nodes at the same time, each over a rail of its own if the machine has
/// as many.
///
/// Between nodes goes an allreduce of each share.
///
/// Declines if some nodes have more members than others; and if operands must be reduced in the members' order, and
/// the nodes' members do not follow each other.
final class SplitRail {

    static Optional<Plan> allreduce(Assembly plan) {
        if (!plan.groups().hasNet() || !plan.mayReduce()) {
            return Optional.empty();
        }
        Shape shape = plan.shape();
        Group node = plan.group(Groups.Kind.NODE);
        Span source = shape.source(0);
        Span target = shape.target(0);
        Blocks shares = new Blocks.Shares(node.size(), source.bytes(), shape.width());
        long mine = shares.bytes(node.index());
        // My share of the target may be in place of others' shares of my source until the node has done with it.
        Place partial = Place.vector(plan.scratch(mine));
        Place share = Place.vector(target.part(shares.offset(node.index()), mine));
        plan.then(CollectiveType.REDUCE_SCATTERV, node, 0, false, new Place(source, shares), partial);
        plan.cut();
        plan.then(CollectiveType.ALLREDUCE, plan.group(Groups.Kind.NET), 0, false, partial, share);
        plan.cut();
        plan.then(CollectiveType.ALLGATHERV, node, 0, true, share, new Place(target, shares));
        return plan.build();
    }

    private SplitRail() {}
}
