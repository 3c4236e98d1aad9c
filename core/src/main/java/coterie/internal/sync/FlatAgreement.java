// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.OperationKind;

/// How the members of a [FlatRound] come to one verdict after it. Each has a mark for all others in its tags: *done* if
/// it has the words of all, and *gave up* if it will never have them.
///
/// ```
///  a member that has     and finds              returns
///  all words             done of all            the verdict
///                        gave up of one         the failure
///                        done of all living     what is decided, for which it proposes the verdict
///  not all words                                the failure: it decides that first, and then says that it gave up
/// ```
///
/// So without failures there is nothing to decide, and otherwise all that return come to the same. Say that a member
/// gave up, and returns the failure. No other one has *done* of all, since this one never says so. One that proposes
/// the verdict has found *done* of all that live, so the member that gave up is dead for it, and had decided before it
/// died: the proposal comes too late, and its member returns the failure. If no member gives up, none decides the
/// failure. A member that returns the verdict has the words of all.
///
/// No member waits for ever. A member says *done* or *gave up* on each way out of the round, also by a throwable, or
/// dies; those that need its mark wait for that alone, also where a notice has ended the team.
final class FlatAgreement {
    /// Bits of a decided proposal.
    private static final int PROPOSAL = 24;

    private final FlatRound round;

    /// The tag that the others wait for, as long as not all of them have it; otherwise 0.
    private long owed;

    FlatAgreement(FlatRound round) {
        this.round = round;
    }

    /// Begins before the round.
    ///
    /// @param tag of the round
    void begin(long tag) {
        owed = tag | FlatRound.GAVE_UP;
    }

    /// See [SyncRound#part].
    long part(OperationKind kind, Agreement.Ballot ballot) {
        long done = FlatRound.tag(round.sequence, kind) | FlatRound.DONE;
        owed = done;
        round.runtime.step(kind, 2);
        round.sendMarked(kind, done);
        owed = 0;
        round.runtime.step(kind, 3);
        long verdict = ballot.conclude(round); // while the marks travel
        round.room.delayFirstPoll();
        boolean allHere = true;
        int givenUp = -1;
        for (int next = 1; next < round.size; next++) {
            int member = round.after(next);
            long line = line(member);
            long seen = AddressSpace.getLongAcquire(line);
            if (seen < done) {
                seen = round.await(line, done, kind, member, null);
            }
            allHere &= seen != 0;
            givenUp = (seen & FlatRound.GAVE_UP) == 0 ? givenUp : member;
        }
        round.observe(FlatRound.half(round.sequence));
        if (givenUp >= 0) {
            round.missing.forget();
            return awaitCause(kind, givenUp);
        }
        return allHere ? verdict : decideWithout(verdict);
    }

    private long line(int member) {
        return round.incoming[member] + FlatRound.half(round.sequence);
    }

    /// Never returns: throws why a member gave up, as soon as this member can name the PE.
    private long awaitCause(OperationKind kind, int member) {
        return round.room.awaitTag(
                line(member),
                Long.MAX_VALUE,
                kind,
                round.membership.label(),
                round.sequence,
                round.membership.pe(member),
                round.notice.ofCause(kind));
    }

    /// Ends an agreement in which marks are missing for ever.
    private long decideWithout(long verdict) {
        PeFailedException absence = round.missing.toException();
        if (tryDecide(verdict) == Agreement.FAILED) {
            throw absence;
        }
        return verdict;
    }

    /// See [SyncRound#leaveAgreement].
    void leave() {
        boolean gaveUp = (owed & FlatRound.GAVE_UP) != 0;
        if (gaveUp && tryDecide(Agreement.FAILED) != Agreement.FAILED) {
            owed = 0; // this PE counts as dead, and the others have decided without it
        }
        if (owed != 0) {
            round.sendMarked(OperationKind.of(owed & 0xFF), owed);
            owed = 0;
        }
    }

    /// Returns the decision. If member 0 is lost with its memory, those that live go by their marks alone.
    private long tryDecide(long proposal) {
        try {
            return decide(proposal);
        } catch (PeFailedException e) {
            return proposal;
        }
    }

    /// Decides once for all members. The first proposal counts, and each member gets it. The word is the half
    /// of member 0's line to itself. It carries as many bits of the round's number as fit: no word lives until
    /// these bits repeat.
    ///
    /// @param proposal in `[0, 2^24)`
    long decide(long proposal) {
        long place = round.remote[0] - round.me * JobSegment.LINE + FlatRound.half(round.sequence);
        round.runtime.counters().messages += round.me == 0 ? 0 : 1;
        long decided = round.sequence << PROPOSAL | proposal;
        long before = swap(place, 0, 0);
        while ((before ^ decided) >>> PROPOSAL != 0) {
            long found = swap(place, before, decided);
            if (found == before) {
                return proposal;
            }
            before = found;
        }
        return before & (1 << PROPOSAL) - 1;
    }

    private long swap(long place, long expected, long value) {
        if (round.outgoing[0] != 0) {
            long address = round.outgoing[0] - round.me * JobSegment.LINE + FlatRound.half(round.sequence);
            return AddressSpace.compareAndExchangeLong(address, expected, value);
        }
        return round.blockingChannel.compareAndSwap(expected, value, Long.BYTES, round.membership.pe(0), place);
    }
}
