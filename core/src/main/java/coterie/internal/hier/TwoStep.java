// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import java.util.Optional;

/// Between nodes and within them, `2step`. A node's head deals with the heads of other nodes: its leader, but on
/// the root's node the root, which so has nothing to hand to its leader.
///
/// - broadcast: the heads have the vector from the root, then each node from its head; the root begins both at
///   once;
/// - reduce: each node reduces to its head, then the heads to the root;
/// - barrier: each node's members tell the leader, the leaders meet, and each tells its node.
///
/// Between nodes goes the heads' broadcast, or reduction, or the leaders' barrier alone: where the heads have a
/// tree, as many vectors as there are other nodes than the root's. A reduction in the members' order ends on the
/// first node, which passes it on to the root's.
///
/// Reduce declines if operands must be reduced in the members' order, and the nodes' members do not follow each
/// other.
final class TwoStep {

    static Optional<Plan> broadcast(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        NodeTopology topology = plan.topology();
        Subgroup heads = topology.heads(shape.root(), shape.me());
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        int from = topology.place(shape.root());
        if (shape.isRoot()) {
            ByteSpan vector = shape.source(0);
            plan.broadcast(heads, from, vector);
            plan.broadcastBeside(node, vector);
            if (!shape.inPlace()) {
                plan.copy(shape.target(0), vector);
            }
        } else {
            plan.broadcast(heads, from, shape.target(0));
            plan.broadcast(node, head(plan, node), shape.target(0));
        }
        return plan.build();
    }

    static Optional<Plan> reduce(PlanAssembler plan) {
        CollectiveShape shape = plan.shape();
        NodeTopology topology = plan.topology();
        Subgroup heads = topology.heads(shape.root(), shape.me());
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        BufferLayout value = BufferLayout.vector(shape.source(0));
        BufferLayout target = shape.isRoot() ? BufferLayout.vector(shape.target(0)) : BufferLayout.NONE;
        boolean there = shape.isRoot() && shape.inPlace();
        if (node.size() > 1) {
            boolean passesOn = heads.hasMe() && !shape.isRoot();
            BufferLayout reduced =
                    passesOn ? BufferLayout.vector(plan.scratch(value.span().bytes())) : target;
            plan.then(CollectiveType.REDUCE, node, head(plan, node), there, value, reduced);
            value = reduced;
            there = shape.isRoot();
        }
        plan.then(CollectiveType.REDUCE, heads, topology.place(shape.root()), there, value, target);
        return plan.build();
    }

    static Optional<Plan> barrier(PlanAssembler plan) {
        Subgroup node = plan.group(NodeTopology.Kind.NODE);
        Subgroup leaders = plan.group(NodeTopology.Kind.NODE_LEADERS);
        plan.then(CollectiveType.FAN_IN, node, 0, false, BufferLayout.NONE, BufferLayout.NONE);
        plan.then(CollectiveType.BARRIER, leaders, 0, false, BufferLayout.NONE, BufferLayout.NONE);
        plan.then(CollectiveType.FAN_OUT, node, 0, false, BufferLayout.NONE, BufferLayout.NONE);
        return plan.build();
    }

    /// The number of my node's head on the node.
    private static int head(PlanAssembler plan, Subgroup node) {
        return Math.max(0, node.indexOf(plan.shape().root()));
    }

    private TwoStep() {}
}
