// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import java.util.Arrays;

/// Some of a team's members, and whether a certain one, who asks, is among them. Immutable.
public final class Subgroup {

    /// No index.
    static final int NOBODY = -1;

    private final int[] members;
    private final int index;

    /// @param members in order; from now on the group's
    /// @param me who asks
    Subgroup(int[] members, int me) {
        this.members = members;
        this.index = indexOf(me);
    }

    /// How many are in it.
    public int size() {
        return members.length;
    }

    /// The number in the team of who has a number here.
    public int member(int number) {
        return members[number];
    }

    /// The number here of who asks, or -1. A group of one has one too.
    public int index() {
        return index;
    }

    /// Whether the one who asks is in it, even if alone.
    boolean hasMe() {
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
