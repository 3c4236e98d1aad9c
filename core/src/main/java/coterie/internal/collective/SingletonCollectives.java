// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALL_GATHER_V;

import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;

/// Collectives of a team of one: what I bring is what I get.
record SingletonCollectives(Membership membership, VariableCounts counts, SymmetricCopies copies) {

    /// Serves every call of its collectives on a team of one.
    ///
    /// @return whether it is one
    boolean run(Call call) {
        if (membership.size() > 1) {
            return false;
        }
        counts.agree(call);
        if (call.type == ALL_GATHER_V) {
            counts.check(call);
        }
        if (!call.isInPlace() && call.count > 0) {
            long from = copies.mine() + call.from;
            copies.put(AddressSpace.ALL, from, call.length(), membership.myPe(), call.to);
            copies.completeForNotified();
        }
        return true;
    }
}
