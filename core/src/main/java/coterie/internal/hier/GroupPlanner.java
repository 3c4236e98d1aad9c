// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.layer.LayerTask;
import java.util.Optional;

/// Chooses what serves the collectives of groups of members, of which a collective of the team is made.
public interface GroupPlanner {

    /// Makes a member's part in the collective of a group.
    ///
    /// @param group with this member
    /// @param shape of the collective, with the group for the team
    /// @param source bytes of the whole plan that are the group's source buffer
    /// @param target the same for the target buffer
    /// @return empty if nothing serves it, which all members of the group find alike
    Optional<Plan> plan(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target);

    /// Makes a member's part in the collective of a group, if a layer that plugs in serves it, and not the
    /// algorithms of layer `p2p`.
    default Optional<Plan> planOfLayer(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
        return Optional.empty();
    }

    /// Makes a plan of a task of the layer that composes.
    ///
    /// @throws IllegalArgumentException if such tasks have no place here
    default Plan planOfTask(LayerTask task) {
        throw new IllegalArgumentException(
                "composition: a task of the layer itself can't be a part of a collective that another layer composes");
    }

    /// Returns whether the algorithms of layer `p2p` may serve a group.
    default boolean admitsPlans(Subgroup group) {
        return true;
    }
}
