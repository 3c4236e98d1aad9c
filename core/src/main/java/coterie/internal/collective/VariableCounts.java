// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALL_GATHER_V;

import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;

/// How much each member gives to a collect, which only the round tells; so what it doesn't fit into is refused
/// behind the round, by all members alike.
final class VariableCounts {
    private final Membership membership;
    private final SyncRound round;
    private final AgreedRounds rounds;
    private final ArgumentChecks argumentChecks;

    VariableCounts(Membership membership, SyncRound round, AgreedRounds rounds, ArgumentChecks argumentChecks) {
        this.membership = membership;
        this.round = round;
        this.rounds = rounds;
        this.argumentChecks = argumentChecks;
    }

    /// Agrees on a call, and tells how much I give if it is a collect.
    void agree(CollectiveArgs args) {
        if (args.type == ALL_GATHER_V) {
            round.send(AgreedRounds.COUNT, args.count);
            rounds.agree(args, 2);
        } else {
            rounds.agree(args, 1);
        }
    }

    /// Elements that a member gives.
    long count(int member) {
        return round.received(member, AgreedRounds.COUNT);
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
    void check(CollectiveArgs args) {
        long total = 0;
        long most = 0;
        for (int member = 0; member < membership.size(); member++) {
            long given = count(member);
            total = total > Long.MAX_VALUE - given ? Long.MAX_VALUE : total + given;
            most = Math.max(most, given);
        }
        argumentChecks.placeGathered(args, total);
        argumentChecks.checkOverlap(args.kind, false, args.to, total * args.width(), args.from, most * args.width());
    }
}
