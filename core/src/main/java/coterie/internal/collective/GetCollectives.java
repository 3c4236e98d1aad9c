// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.BROADCAST;

import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;

/// Collectives that move elements and compute nothing, where each PE can read the others' memory where it lies: each
/// member reads what it needs out of the others' sources, the next one's first, so that they don't all read the
/// same. What is read is in the reader's cache, where it will be used.
final class GetCollectives {
    private final Membership membership;
    private final AgreedRounds rounds;
    private final VariableCounts counts;
    private final SymmetricCopies copies;

    GetCollectives(Membership membership, AgreedRounds rounds, VariableCounts counts, SymmetricCopies copies) {
        this.membership = membership;
        this.rounds = rounds;
        this.counts = counts;
        this.copies = copies;
    }

    /// Serves every call of its collectives.
    ///
    /// @return true
    boolean run(CollectiveArgs args) {
        counts.agree(args);
        try {
            move(args);
        } finally {
            rounds.awaitRelease(args.kind, args.type == BROADCAST ? args.root : SyncRound.EVERYBODY);
        }
        return true;
    }

    private void move(CollectiveArgs args) {
        long bytes = args.length();
        switch (args.type) {
            case BROADCAST -> from(args.root, args.to, args.from, bytes);
            case ALL_GATHER -> fromAll(args.to, args.from, bytes);
            case ALL_TO_ALL -> fromAll(args.to, args.from + membership.me() * bytes, bytes);
            case ALL_GATHER_V -> fromEach(args);
            default -> throw new AssertionError(args.type);
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
    private void fromEach(CollectiveArgs args) {
        counts.check(args);
        long to = args.to;
        for (int member = 0; member < membership.size(); member++) {
            long bytes = counts.count(member) * args.width();
            from(member, to, args.from, bytes);
            to += bytes;
        }
    }
}
