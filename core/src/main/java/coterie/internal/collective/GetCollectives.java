// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.BROADCAST;

import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;

/// Collectives that move elements and compute nothing, where each PE can read the others' memory where it lies: each
/// member reads what it needs out of the others' sources, the next one's first, so that they don't all read the
/// same. What is read is in the reader's cache, where it will be used.
final class GetCollectives {
    private final Membership membership;
    private final VariableCounts counts;
    private final SymmetricCopies copies;

    GetCollectives(Membership membership, VariableCounts counts, SymmetricCopies copies) {
        this.membership = membership;
        this.counts = counts;
        this.copies = copies;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(Call call) {
        counts.agree(call);
        if (call.type == BROADCAST) {
            call.awaitsReaders();
        } else {
            call.awaitsAll();
        }
        move(call);
        return true;
    }

    private void move(Call call) {
        long bytes = call.length();
        switch (call.type) {
            case BROADCAST -> from(call.root, call.to, call.from, bytes);
            case ALL_GATHER -> fromAll(call.to, call.from, bytes);
            case ALL_TO_ALL -> fromAll(call.to, call.from + membership.me() * bytes, bytes);
            case ALL_GATHER_V -> fromEach(call);
            default -> throw new AssertionError(call.type);
        }
    }

    /// Reads a member's bytes.
    private void from(int member, long to, long from, long bytes) {
        if (bytes > 0 && (member != membership.me() || to != from)) {
            copies.get(membership.pe(member), from, AddressSpace.ALL, copies.mine() + to, bytes);
        }
    }

    /// Reads a block of each member, from the same place; they come one behind the other.
    private void fromAll(long to, long from, long bytes) {
        for (int step = 0; step < membership.size(); step++) {
            int member = membership.after(step);
            from(member, to + member * bytes, from, bytes);
        }
    }

    /// Reads what each member gives, however much that is; it comes one behind the other.
    private void fromEach(Call call) {
        counts.check(call);
        long to = call.to;
        for (int member = 0; member < membership.size(); member++) {
            long bytes = counts.count(member) * call.width();
            from(member, to, call.from, bytes);
            to += bytes;
        }
    }
}
