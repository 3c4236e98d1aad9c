// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.StatusLabel;
import coterie.internal.wait.PeRuntime;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// A team as its messages see it: its members, and where each one's mail is put.
///
/// @param label the team's name
/// @param size members, at least 1
/// @param me my number
/// @param pes the PE of each member
/// @param offsets where in each member's sync area the lines of its [TeamEndpoint] begin, a multiple of a
///     line's length; zeroed, and used by no other port. Of other members it may be a negative state: they may not
///     have said yet, or have no lines
public record MemberAddresses(StatusLabel label, int size, int me, IntUnaryOperator pes, IntToLongFunction offsets) {
    /// State of a member whose lines are not known yet.
    static final long UNKNOWN = -1;

    /// State of a member that has no memory for lines.
    static final long NO_MEMORY = -2;

    /// State of a member that has revoked the team before it had lines.
    static final long REVOKED = -3;

    /// State of a member that comes to the end of the team, and has never had lines.
    static final long LEFT = -4;

    /// The PE of a member.
    int pe(int member) {
        return pes.applyAsInt(member);
    }

    int myPe() {
        return pe(me);
    }

    /// Where a member's lines begin in its sync area, or its state.
    long offset(int member) {
        return offsets.applyAsLong(member);
    }

    /// The PEs of the members that have failed, in the members' order.
    ///
    /// @param known one that has, or −1
    List<Integer> failed(int known, PeRuntime runtime) {
        return IntStream.range(0, size)
                .map(this::pe)
                .filter(pe -> pe == known || runtime.hasFailed(pe))
                .boxed()
                .toList();
    }

    /// How messages begin: "broadcast #3 on team \"row\", PE 1: ".
    String messagePrefix(String operation) {
        return operation + " on team \"" + label.name() + "\", PE " + myPe() + ": ";
    }
}
