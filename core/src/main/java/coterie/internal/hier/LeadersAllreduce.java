// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import java.util.Optional;

/// Allreduce of short vectors, `rab`: each node reduces to its leader, the leaders allreduce, each leader
/// broadcasts on its node.
///
/// Between nodes goes the leaders' allreduce alone.
///
/// Declines if operands must be reduced in the members' order, and the nodes' members do not follow each other.
final class LeadersAllreduce {

    static Optional<Plan> allreduce(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        BufferLayout source = BufferLayout.vector(shape.source(0));
        BufferLayout target = BufferLayout.vector(shape.target(0));
        BufferLayout reduced = node.index() == 0 ? target : BufferLayout.NONE;
        plan.then(CollectiveType.REDUCE, node, 0, shape.inPlace(), source, reduced);
        plan.phase();
        plan.then(CollectiveType.ALL_REDUCE, plan.group(NodeTopology.Kind.NODE_LEADERS), 0, true, target, target);
        plan.phase();
        plan.broadcast(node, 0, target.span());
        return plan.build();
    }

    private LeadersAllreduce() {}
}
