// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALLGATHERV;

/// How much each member gives to a collect, which only the round tells; so what it doesn't fit into is refused
/// behind the round, by all members alike.
final class Collected {
    private final Membership membership;
    private final SyncRound round;
    private final AgreedRounds rounds;
    private final Operands operands;

    Collected(Membership membership, SyncRound round, AgreedRounds rounds, Operands operands) {
        this.membership = membership;
        this.round = round;
        this.rounds = rounds;
        this.operands = operands;
    }

    /// Agrees on a call, and tells how much I give if it is a collect.
    void agree(Call call) {
        if (call.type == ALLGATHERV) {
            round.say(AgreedRounds.COUNT, call.count);
            rounds.agree(call, 2);
        } else {
            rounds.agree(call, 1);
        }
    }

    /// Elements that a member gives.
    long count(int member) {
        return round.heard(member, AgreedRounds.COUNT);
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
        operands.placeCollected(call, total);
        operands.checkApart(call.kind, call.to, total * call.width(), call.from, most * call.width());
    }
}
