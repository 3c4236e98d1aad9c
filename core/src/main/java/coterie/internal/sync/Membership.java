// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.memory.StatusLabel;

/// The members of a team, and which of them this PE is.
///
/// @param label the team's name
/// @param map which PE each member is
/// @param me my number in it
public record Membership(StatusLabel label, TeamMap map, int me) {

    public String name() {
        return label.name();
    }

    public int size() {
        return map.size();
    }

    /// The PE of a member.
    public int pe(int member) {
        return map.pe(member);
    }

    /// The member that comes so many after me; after the last come the first.
    ///
    /// @param steps in `[0, size())`
    public int after(int steps) {
        int member = me + steps;
        return member < size() ? member : member - size();
    }

    /// My number in the world.
    public int myPe() {
        return map.pe(me);
    }

    /// How messages begin: "sum on team \"world\", PE 3: ".
    public String messagePrefix(String operation) {
        return operation + " on team \"" + name() + "\", PE " + myPe() + ": ";
    }
}
