// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.TeamLabel;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/// A team as its messages see it: who is in it, and where each one's mail is put.
///
/// @param label the team's name
/// @param size members, at least 1
/// @param me my number
/// @param pes the PE of each member
/// @param offsets where in each member's sync area the [TeamEndpoint#lines] of its port begin, a multiple of a
///     line's length; zeroed, and nobody else's
public record MemberAddresses(TeamLabel label, int size, int me, IntUnaryOperator pes, IntToLongFunction offsets) {

    /// The PE of a member.
    int pe(int member) {
        return pes.applyAsInt(member);
    }

    int myPe() {
        return pe(me);
    }

    /// Where a member's lines begin in its sync area.
    long offset(int member) {
        return offsets.applyAsLong(member);
    }

    /// How messages begin: "broadcast #3 on team \"row\", PE 1: ".
    String messagePrefix(String operation) {
        return operation + " on team \"" + label.name() + "\", PE " + myPe() + ": ";
    }
}
