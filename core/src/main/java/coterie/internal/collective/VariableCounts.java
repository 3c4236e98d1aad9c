// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALL_GATHER_V;

import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;

/// How much each member gives to a collect, which only the round tells; so what it doesn't fit into is refused
/// behind the round, by all members alike.
final class VariableCounts {
    /// The word behind that of the arguments.
    private static final int COUNT = 1;

    private final Membership membership;
    private final TeamSync teamSync;
    private final SyncRound round;
    private final ArgumentChecks argumentChecks;

    VariableCounts(TeamSync teamSync, ArgumentChecks argumentChecks) {
        this.membership = teamSync.membership();
        this.teamSync = teamSync;
        this.round = teamSync.syncRound();
        this.argumentChecks = argumentChecks;
    }

    /// Agrees on a call, and tells how much I give if it is a collect.
    void agree(Call call) {
        if (call.type == ALL_GATHER_V) {
            round.send(COUNT, call.count);
            teamSync.agree(call.agreed, 2);
        } else {
            teamSync.agree(call.agreed, 1);
        }
    }

    /// Elements that a member gives.
    long count(int member) {
        return round.received(member, COUNT);
    }

    /// Elements that the members before me give.
    long before() {
        long before = 0;
        for (int member = 0; member < membership.me(); member++) {
            before += count(member);
        }
        return before;
    }

    /// Refuses what has no room for all.
    void check(Call call) {
        long total = 0;
        long most = 0;
        for (int member = 0; member < membership.size(); member++) {
            long given = count(member);
            total = total > Long.MAX_VALUE - given ? Long.MAX_VALUE : total + given;
            most = Math.max(most, given);
        }
        argumentChecks.placeGathered(call, total);
        argumentChecks.checkOverlap(call.kind, false, call.to, total * call.width(), call.from, most * call.width());
    }
}
