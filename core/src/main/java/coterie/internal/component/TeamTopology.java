// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.hier.NodeTopology;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import java.util.List;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// What all members of a team have in common by nature, on which it depends which layers can serve them.
///
/// @param nodes of each member, or none where the team has no hierarchy
/// @param isDirect whether they load and store each other's memory
/// @param isFlat whether they tell each other everything
record TeamTopology(int size, List<Integer> nodes, boolean isDirect, boolean isFlat) {

    /// @param nodeOf the node of each member
    static TeamTopology of(int size, IntUnaryOperator nodeOf, boolean isDirect, boolean isFlat) {
        int[] nodes = IntStream.range(0, size).map(nodeOf).toArray();
        boolean isLayered = isFlat && NodeTopology.of(nodes).isHierarchical();
        return new TeamTopology(size, isLayered ? IntStream.of(nodes).boxed().toList() : List.of(), isDirect, isFlat);
    }

    /// The footing of a team.
    ///
    /// @param nodes the node of each PE
    static TeamTopology of(TeamSync teamSync, IntUnaryOperator nodes) {
        Membership membership = teamSync.membership();
        SyncRound round = teamSync.syncRound();
        boolean isDirect = round instanceof FlatRound flat && flat.isDirect();
        IntUnaryOperator nodeOf = member -> nodes.applyAsInt(membership.pe(member));
        return of(membership.size(), nodeOf, isDirect, round.isAllToAll());
    }

    /// The footing of members on one node.
    static TeamTopology onOneNode(int size, boolean isDirect) {
        return new TeamTopology(size, List.of(), isDirect, true);
    }

    boolean isHierarchical() {
        return !nodes.isEmpty();
    }

    /// The groups of members on their nodes.
    NodeTopology topology() {
        return NodeTopology.of(nodes.stream().mapToInt(Integer::intValue).toArray());
    }
}
