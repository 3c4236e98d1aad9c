// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALL_GATHER_V;

import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;

/// Collectives of a team of one: what I bring is what I get.
record SingletonCollectives(Membership membership, AgreedRounds rounds, VariableCounts counts, SymmetricCopies copies) {

    /// Serves every call of its collectives on a team of one.
    ///
    /// @return whether it is one
    boolean run(CollectiveArgs args) {
        if (membership.size() > 1) {
            return false;
        }
        counts.agree(args);
        try {
            if (args.type == ALL_GATHER_V) {
                counts.check(args);
            }
            if (!args.isInPlace() && args.count > 0) {
                long from = copies.mine() + args.from;
                copies.put(AddressSpace.ALL, from, args.length(), membership.myPe(), args.to);
                copies.completeForNotified();
            }
        } finally {
            rounds.leave();
        }
        return true;
    }
}
