// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import java.util.Arrays;

/// Some of a team's members, and whether a certain one, which asks, is among them. Immutable.
public final class Subgroup {

    /// No index.
    static final int NOBODY = -1;

    private final int[] members;
    private final int index;
    private final String level;

    /// @param members in order; from now on the group's
    /// @param me the member that asks
    /// @param level to which the group belongs, such as NODE, or empty if to none
    Subgroup(int[] members, int me, String level) {
        this.members = members;
        this.index = indexOf(me);
        this.level = level;
    }

    /// Returns the level to which the group belongs, or an empty string: layers can open teams for groups of
    /// levels alone.
    public String level() {
        return level;
    }

    /// How many are in it.
    public int size() {
        return members.length;
    }

    /// The number in the team of a member by its number here.
    public int member(int number) {
        return members[number];
    }

    /// The number here of the member that asks, or -1. A group of one has one too.
    public int index() {
        return index;
    }

    /// Whether the member that asks is in it, even if alone.
    public boolean hasMe() {
        return index != NOBODY;
    }

    /// The number here of a member of the team, or [#NOBODY].
    int indexOf(int member) {
        for (int number = 0; number < members.length; number++) {
            if (members[number] == member) {
                return number;
            }
        }
        return NOBODY;
    }

    /// All members in order.
    public int[] members() {
        return members.clone();
    }

    /// For people: "[0, 4, 8], me at 1".
    @Override
    public String toString() {
        return Arrays.toString(members) + (hasMe() ? ", me at " + index : ", without me");
    }
}
