// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALLGATHERV;

import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.HeapCopies;

/// Collectives of a team of one: what I bring is what I get.
final class SelfCollectives {
    private final Membership membership;
    private final AgreedRounds rounds;
    private final Collected collected;
    private final HeapCopies copies;

    SelfCollectives(Membership membership, AgreedRounds rounds, Collected collected, HeapCopies copies) {
        this.membership = membership;
        this.rounds = rounds;
        this.collected = collected;
        this.copies = copies;
    }

    /// Serves every call of its collectives on a team of one.
    ///
    /// @return whether it is one
    boolean run(Call call) {
        if (membership.size() > 1) {
            return false;
        }
        collected.agree(call);
        try {
            if (call.type == ALLGATHERV) {
                collected.check(call);
            }
            if (!call.isInPlace() && call.count > 0) {
                long from = copies.mine() + call.from;
                copies.put(AddressSpace.ALL, from, call.length(), membership.myPe(), call.to);
                copies.completeForTold();
            }
        } finally {
            rounds.leave();
        }
        return true;
    }
}
