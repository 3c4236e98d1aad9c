// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.memory.JobSegment;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.PeRuntime;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;

/// A team's lines, as [SyncLines] has them, and by what a member reaches them.
///
/// @param firstSequence number of the first round and of the first agreement, the same on all members; what the lines
///     hold of an earlier world is lower
record TeamLines(
        Membership membership,
        SyncLines lines,
        Conduit conduit,
        BlockingChannel blockingChannel,
        PeRuntime runtime,
        long firstSequence) {

    /// Where a member's block begins in its sync area.
    long offset(int member) {
        return lines.offset(member);
    }

    /// Where the slot of a writer is on a member's board.
    long board(int member, int writer) {
        return offset(member) + membership.size() * JobSegment.LINE + writer * (JobSegment.LINE / 2);
    }

    /// Where the argument record of a member is, in its own slot.
    long argumentRecord(int member) {
        return board(member, member) + FailureNotice.BYTES;
    }

    /// The address of my sync area.
    long localBase() {
        return conduit.localBase(Region.SYNC);
    }

    /// The address of a member's sync area here, or 0 if it can't be stored to.
    long directBase(int member) {
        return conduit.directBase(Region.SYNC, membership.pe(member));
    }

    /// A member's sync area, as the conduit names it.
    long remoteBase(int member) {
        return conduit.remoteBase(Region.SYNC, membership.pe(member));
    }

    /// Notifies the observer, if there is one, that I have seen a word of my sync area.
    void observed(long place) {
        AccessObserver observer = runtime.observer();
        if (observer != null) {
            observer.observed(Region.SYNC, place, Long.BYTES);
        }
    }
}
