// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.hier.NodeTopology.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeTopologyTest {

    private static void isMember(Subgroup group, int index, int... members) {
        assertThat(group.hasMe()).as("%s", group).isTrue();
        assertThat(group.size()).as("%s", group).isGreaterThan(1);
        assertThat(group.members()).containsExactly(members);
        assertThat(group.size()).isEqualTo(members.length);
        assertThat(group.index()).isEqualTo(index);
        assertThat(group.member(index)).isEqualTo(members[index]);
    }

    private static void isNotMember(Subgroup group, int... members) {
        assertThat(group.hasMe()).as("%s", group).isFalse();
        assertThat(group.size()).as("%s", group).isGreaterThan(1);
        assertThat(group.members()).containsExactly(members);
        assertThat(group.index()).isEqualTo(-1);
    }

    private static void doesNotExist(Subgroup group) {
        assertThat(group.size()).as("%s", group).isLessThanOrEqualTo(1);
    }

    @Test
    @DisplayName("UC-14 one node: it is the team; there are no other leaders, and no net")
    void oneNode() {
        NodeTopology topology = NodeTopology.of(3, 3, 3, 3);
        for (int member = 0; member < 4; member++) {
            isMember(topology.of(Kind.NODE, member), member, 0, 1, 2, 3);
            isMember(topology.of(Kind.FULL, member), member, 0, 1, 2, 3);
            doesNotExist(topology.of(Kind.NODE_LEADERS, member));
            doesNotExist(topology.of(Kind.NET, member));
        }
        assertThat(topology.isHierarchical()).isFalse();
        assertThat(topology.hasNet()).isFalse();
    }

    @Test
    @DisplayName("UC-14 two nodes: node, leaders and net of each member")
    void twoNodes() {
        NodeTopology topology = NodeTopology.of(0, 0, 0, 1, 1, 1);
        isMember(topology.of(Kind.NODE, 1), 1, 0, 1, 2);
        isMember(topology.of(Kind.NODE, 5), 2, 3, 4, 5);
        isMember(topology.of(Kind.NODE_LEADERS, 0), 0, 0, 3);
        isMember(topology.of(Kind.NODE_LEADERS, 3), 1, 0, 3);
        isNotMember(topology.of(Kind.NODE_LEADERS, 4), 0, 3);
        isMember(topology.of(Kind.NET, 0), 0, 0, 3);
        isMember(topology.of(Kind.NET, 4), 1, 1, 4);
        isMember(topology.of(Kind.NET, 2), 0, 2, 5);
        isMember(topology.of(Kind.FULL, 4), 4, 0, 1, 2, 3, 4, 5);
        assertThat(topology.isHierarchical()).isTrue();
        assertThat(topology.keepsOrder()).isTrue();
        assertThat(topology.hasNet()).isTrue();
    }

    @Test
    @DisplayName("UC-14 members in another order than nodes: groups are in the members' order, whatever nodes' numbers")
    void reorderedMembers() {
        NodeTopology topology = NodeTopology.of(8, 2, 2, 8, -1, -1);
        isMember(topology.of(Kind.NODE, 3), 1, 0, 3);
        isMember(topology.of(Kind.NODE, 2), 1, 1, 2);
        isMember(topology.of(Kind.NODE_LEADERS, 1), 1, 0, 1, 4);
        isNotMember(topology.of(Kind.NODE_LEADERS, 3), 0, 1, 4);
        isMember(topology.of(Kind.NET, 3), 1, 2, 3, 5);
        isMember(topology.of(Kind.NET, 0), 0, 0, 1, 4);
        assertThat(topology.keepsOrder()).isFalse();
        assertThat(NodeTopology.of(7, 7, 3, 3, 5).keepsOrder()).isTrue();
    }

    @Test
    @DisplayName("UC-14 nodes with unequally many members: there is no net, for any member")
    void unevenNodes() {
        NodeTopology topology = NodeTopology.of(0, 0, 0, 1);
        for (int member = 0; member < 4; member++) {
            doesNotExist(topology.of(Kind.NET, member));
        }
        isMember(topology.of(Kind.NODE, 2), 2, 0, 1, 2);
        isMember(topology.of(Kind.NODE_LEADERS, 3), 1, 0, 3);
        assertThat(topology.hasNet()).isFalse();
    }

    @Test
    @DisplayName("UC-14 a group of one does not exist")
    void groupOfOne() {
        doesNotExist(NodeTopology.of(0, 0, 0, 1).of(Kind.NODE, 3));
        NodeTopology alone = NodeTopology.of(6);
        for (Kind kind : Kind.values()) {
            doesNotExist(alone.of(kind, 0));
        }
        NodeTopology apart = NodeTopology.of(0, 1, 2);
        doesNotExist(apart.of(Kind.NODE, 1));
        isMember(apart.of(Kind.NODE_LEADERS, 1), 1, 0, 1, 2);
        assertThat(apart.isHierarchical()).isFalse();
    }

    @Test
    @DisplayName("heads are the leaders, but the root replaces its node's leader")
    void heads() {
        NodeTopology topology = NodeTopology.of(0, 1, 1, 0);
        isMember(topology.heads(3, 3), 0, 3, 1);
        isNotMember(topology.heads(3, 0), 3, 1);
        isMember(topology.heads(1, 1), 1, 0, 1);
    }

    @Test
    @DisplayName("a team without members is refused")
    void nobody() {
        assertThatThrownBy(NodeTopology::of).hasMessageContaining("at least one member");
    }
}
