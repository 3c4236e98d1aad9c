// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Which of a team's members share a node, and the groups that come of it. The same on all members. Immutable.
///
/// ```
///  member                0   1   2   3   4   5
///  node                  7   7   7   4   4   4
///
///  NODE of member 4                 {3   4   5}
///  NODE_LEADERS         {0           3}
///  NET of member 4          {1           4}
///  FULL                 {0   1   2   3   4   5}
/// ```
///
/// Nodes are counted in the order of their leaders.
public final class NodeTopology {

    /// What members have in common.
    public enum Kind {
        /// the node
        NODE,
        /// being the lowest member of a node
        NODE_LEADERS,
        /// how many members of the node are before them; only if all nodes have equally many
        NET,
        /// the team
        FULL
    }

    /// The members of each node, in ascending order.
    private final List<int[]> nodes;

    /// For each member, the place of its node in the list.
    private final int[] places;

    private final boolean isEven;
    private final boolean keepsOrder;

    private NodeTopology(List<int[]> nodes, int[] places) {
        this.nodes = nodes;
        this.places = places;
        this.isEven = nodes.stream().allMatch(node -> node.length == nodes.getFirst().length);
        this.keepsOrder = IntStream.range(1, places.length).allMatch(member -> places[member] >= places[member - 1]);
    }

    /// Groups the members of a team.
    ///
    /// @param nodes a number for the node of each member, at least one; any numbers
    public static NodeTopology of(int... nodes) {
        if (nodes.length == 0) {
            throw new IllegalArgumentException("node topology: a team has at least one member");
        }
        Map<Integer, List<Integer>> byNode = IntStream.range(0, nodes.length)
                .boxed()
                .collect(groupingBy(member -> nodes[member], LinkedHashMap::new, toList()));
        List<int[]> members = byNode.values().stream()
                .map(each -> each.stream().mapToInt(Integer::intValue).toArray())
                .toList();
        int[] places = new int[nodes.length];
        for (int place = 0; place < members.size(); place++) {
            for (int member : members.get(place)) {
                places[member] = place;
            }
        }
        return new NodeTopology(members, places);
    }

    /// Members of the team.
    public int size() {
        return places.length;
    }

    /// A member's group.
    public Subgroup of(Kind kind, int member) {
        return new Subgroup(
                switch (kind) {
                    case NODE -> nodes.get(places[member]);
                    case NODE_LEADERS -> column(0);
                    case NET -> isEven ? column(node(places[member], member).index()) : new int[0];
                    case FULL -> IntStream.range(0, size()).toArray();
                },
                member,
                kind.name());
    }

    /// A member of each node, in the order of the nodes: the leader, but the root of its own node. So a root need
    /// not hand anything to its leader.
    Subgroup heads(int root, int member) {
        int[] heads = nodes.stream().mapToInt(node -> node[0]).toArray();
        boolean isLeader = heads[places[root]] == root;
        heads[places[root]] = root;
        return new Subgroup(heads, member, isLeader ? Kind.NODE_LEADERS.name() : "");
    }

    /// The place of a member's node among the nodes.
    int place(int member) {
        return places[member];
    }

    /// The members of a node, by its place.
    Subgroup node(int place, int member) {
        return new Subgroup(nodes.get(place), member, Kind.NODE.name());
    }

    /// How many nodes there are.
    int nodes() {
        return nodes.size();
    }

    /// Whether there are several nodes, and some have several members: else nothing can be gained.
    public boolean isHierarchical() {
        return nodes.size() > 1 && nodes.size() < size();
    }

    /// Whether the members of each node follow each other: then what is done node by node is done in the members'
    /// order.
    boolean keepsOrder() {
        return keepsOrder;
    }

    /// Whether all nodes have equally many members, and there are several: then there is a NET.
    boolean hasNet() {
        return isEven && nodes.size() > 1;
    }

    private int[] column(int index) {
        return nodes.stream().mapToInt(node -> node[index]).sorted().toArray();
    }
}
