// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.hier.Group.Presence;
import coterie.internal.hier.Groups.Kind;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class GroupsTest {

    private static void isMember(Group group, int index, int... members) {
        assertThat(group.presence()).as("%s", group).isEqualTo(Presence.MEMBER);
        assertThat(group.members()).containsExactly(members);
        assertThat(group.size()).isEqualTo(members.length);
        assertThat(group.index()).isEqualTo(index);
        assertThat(group.member(index)).isEqualTo(members[index]);
    }

    private static void isNotMember(Group group, int... members) {
        assertThat(group.presence()).as("%s", group).isEqualTo(Presence.NOT_MEMBER);
        assertThat(group.members()).containsExactly(members);
        assertThat(group.index()).isEqualTo(-1);
    }

    private static void doesNotExist(Group group) {
        assertThat(group.presence()).as("%s", group).isEqualTo(Presence.NOT_EXISTS);
    }

    @Test
    @DisplayName("UC-14 one node: it is the team; nobody else to lead, and no net")
    void oneNode() {
        Groups groups = Groups.of(3, 3, 3, 3);
        for (int member = 0; member < 4; member++) {
            isMember(groups.of(Kind.NODE, member), member, 0, 1, 2, 3);
            isMember(groups.of(Kind.FULL, member), member, 0, 1, 2, 3);
            doesNotExist(groups.of(Kind.NODE_LEADERS, member));
            doesNotExist(groups.of(Kind.NET, member));
        }
        assertThat(groups.isLayered()).isFalse();
        assertThat(groups.hasNet()).isFalse();
    }

    @Test
    @DisplayName("UC-14 two nodes: node, leaders and net of each member")
    void twoNodes() {
        Groups groups = Groups.of(0, 0, 0, 1, 1, 1);
        isMember(groups.of(Kind.NODE, 1), 1, 0, 1, 2);
        isMember(groups.of(Kind.NODE, 5), 2, 3, 4, 5);
        isMember(groups.of(Kind.NODE_LEADERS, 0), 0, 0, 3);
        isMember(groups.of(Kind.NODE_LEADERS, 3), 1, 0, 3);
        isNotMember(groups.of(Kind.NODE_LEADERS, 4), 0, 3);
        isMember(groups.of(Kind.NET, 0), 0, 0, 3);
        isMember(groups.of(Kind.NET, 4), 1, 1, 4);
        isMember(groups.of(Kind.NET, 2), 0, 2, 5);
        isMember(groups.of(Kind.FULL, 4), 4, 0, 1, 2, 3, 4, 5);
        assertThat(groups.isLayered()).isTrue();
        assertThat(groups.keepsOrder()).isTrue();
        assertThat(groups.hasNet()).isTrue();
    }

    @Test
    @DisplayName("UC-14 members in another order than nodes: groups are in the members' order, whatever nodes' numbers")
    void reorderedMembers() {
        Groups groups = Groups.of(8, 2, 2, 8, -1, -1);
        isMember(groups.of(Kind.NODE, 3), 1, 0, 3);
        isMember(groups.of(Kind.NODE, 2), 1, 1, 2);
        isMember(groups.of(Kind.NODE_LEADERS, 1), 1, 0, 1, 4);
        isNotMember(groups.of(Kind.NODE_LEADERS, 3), 0, 1, 4);
        isMember(groups.of(Kind.NET, 3), 1, 2, 3, 5);
        isMember(groups.of(Kind.NET, 0), 0, 0, 1, 4);
        assertThat(groups.keepsOrder()).isFalse();
        assertThat(Groups.of(7, 7, 3, 3, 5).keepsOrder()).isTrue();
    }

    @Test
    @DisplayName("UC-14 nodes with unequally many members: there is no net, for anybody")
    void unevenNodes() {
        Groups groups = Groups.of(0, 0, 0, 1);
        for (int member = 0; member < 4; member++) {
            doesNotExist(groups.of(Kind.NET, member));
        }
        isMember(groups.of(Kind.NODE, 2), 2, 0, 1, 2);
        isMember(groups.of(Kind.NODE_LEADERS, 3), 1, 0, 3);
        assertThat(groups.hasNet()).isFalse();
    }

    @Test
    @DisplayName("UC-14 a group of one does not exist")
    void groupOfOne() {
        doesNotExist(Groups.of(0, 0, 0, 1).of(Kind.NODE, 3));
        Groups alone = Groups.of(6);
        for (Kind kind : Kind.values()) {
            doesNotExist(alone.of(kind, 0));
        }
        Groups apart = Groups.of(0, 1, 2);
        doesNotExist(apart.of(Kind.NODE, 1));
        isMember(apart.of(Kind.NODE_LEADERS, 1), 1, 0, 1, 2);
        assertThat(apart.isLayered()).isFalse();
    }

    @Test
    @DisplayName("heads are the leaders, but the root stands for its node in that node's place")
    void heads() {
        Groups groups = Groups.of(0, 1, 1, 0);
        isMember(groups.heads(3, 3), 0, 3, 1);
        isNotMember(groups.heads(3, 0), 3, 1);
        isMember(groups.heads(1, 1), 1, 0, 1);
    }

    @Test
    @DisplayName("a team of nobody is refused")
    void nobody() {
        assertThatThrownBy(Groups::of).hasMessageContaining("at least one member");
    }
}
