// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.internal.plan.Algorithm;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import java.util.Optional;
import java.util.function.Function;

/// An algorithm of a team that consists of collectives of its nodes and of members of several nodes.
public final class GroupedAlgorithm implements Algorithm {
    private final NodeTopology topology;
    private final Function<PlanAssembler, Optional<Plan>> maker;
    private final GroupPlanner usual;

    /// @param maker of the algorithm's plans
    /// @param usual chooses what serves the groups, unless a caller of [#plan(CollectiveShape, GroupPlanner)] does
    GroupedAlgorithm(NodeTopology topology, Function<PlanAssembler, Optional<Plan>> maker, GroupPlanner usual) {
        this.topology = topology;
        this.maker = maker;
        this.usual = usual;
    }

    @Override
    public Optional<Plan> plan(CollectiveShape shape) {
        return plan(shape, usual);
    }

    /// Makes the plan of a member.
    ///
    /// @param planner chooses what serves the groups
    /// @return empty if the algorithm can't serve, or nothing serves one of the groups
    public Optional<Plan> plan(CollectiveShape shape, GroupPlanner planner) {
        if (shape.size() != topology.size()) {
            throw new IllegalArgumentException(
                    Hierarchy.COMPONENT + ": " + shape.type().label() + " of " + shape.size()
                            + " members, but the nodes have " + topology.size() + " in total");
        }
        boolean keepsOrder = !shape.ordered() || (topology.keepsOrder() && !shape.isSequential());
        boolean breaksOrder = shape.type().isReduction() && !keepsOrder;
        return topology.isHierarchical() && !breaksOrder
                ? maker.apply(new PlanAssembler(planner, topology, shape))
                : Optional.empty();
    }
}
