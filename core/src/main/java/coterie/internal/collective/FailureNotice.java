// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// What tells all members of a team that some have missed a failed one in the round of a data collective, in which
/// others have heard of it: it failed between telling one and telling another. Or that members have called for
/// different things in [OnewayBroadcasts], of which others may not know either.
///
/// Whoever misses it has no part in the data collectives to come, and says so to everybody else by the number of
/// the round, in the second word of a member's line to itself. Whoever finds a notice stops waiting for tags that
/// may never come. All who live go on, in barriers and for the team's end, with [#next], so that they are in step
/// however many rounds each had begun. Where members differ, they all go on behind it to the end of the team
/// alone.
///
/// All notices of a team name the same round: the next one can't be completed by anybody, since those who have
/// missed the failed member, or differ from others, do not come to it.
final class FailureNotice implements FailureCheck {
    private static final long PLACE = 8;

    /// Behind the round: the same round and who has found out that members differ, where they do.
    private static final long FINDER = 8;

    private static final int FINDER_BITS = 24;

    /// More than the rounds that a member can have begun behind the one of a notice, and odd: what is told behind
    /// it goes to the other half of the lines, since some may still read this one.
    private static final int GAP = 5;

    /// The same for the last rounds of members that differ.
    private static final int END_GAP = GAP + 4;

    private final Membership membership;
    private final SyncLines lines;
    private final Conduit conduit;
    private final BlockingChannel blockingChannel;
    private final WaitingRoom room;
    private final long mine;

    /// Knows what members have called for, where they may differ.
    private @Nullable PublishedArguments publishedArguments;

    /// Lower numbers are those of an earlier world on the same lines.
    private final long firstSequence;

    /// Of the round that is under way, or the latest.
    private final LongSupplier sequence;

    private final FailureCheck ofRounds = new DifferenceCheck() {
        @Override
        public @Nullable RuntimeException check() {
            RuntimeException mismatch = mismatch();
            return mismatch == null && round() < sequence.getAsLong() ? FailureNotice.this.check() : mismatch;
        }
    };

    private final FailureCheck ofBarriers = new DifferenceCheck() {
        @Override
        public @Nullable RuntimeException check() {
            String difference = differenceBefore();
            return difference == null ? null : new CollectiveMismatchException(difference);
        }
    };

    private final FailureCheck ofPart = new FailureCheck() {
        @Override
        public @Nullable RuntimeException check() {
            return publishedArguments != null && !publishedArguments.hasLeft(partner)
                    ? null
                    : FailureNotice.this.check();
        }
    };

    /// Whom [#ofRelease] is about.
    private int partner;

    private final FailureCheck ofEnds = new DifferenceCheck() {
        @Override
        public @Nullable RuntimeException check() {
            return mismatch();
        }
    };

    /// Hears of differences, which there may be before anybody has failed.
    private abstract class DifferenceCheck implements FailureCheck {
        final @Nullable RuntimeException mismatch() {
            String difference = differenceAfter();
            return difference == null ? null : new CollectiveMismatchException(difference);
        }

        @Override
        public boolean isAlwaysChecked() {
            return publishedArguments != null;
        }
    }

    FailureNotice(
            Membership membership,
            SyncLines lines,
            Conduit conduit,
            BlockingChannel blockingChannel,
            WaitingRoom room,
            long firstSequence,
            LongSupplier sequence) {
        this.sequence = sequence;
        this.membership = membership;
        this.lines = lines;
        this.conduit = conduit;
        this.blockingChannel = blockingChannel;
        this.room = room;
        this.mine = conduit.localBase(Region.SYNC) + place(membership.me());
        this.firstSequence = firstSequence;
    }

    /// The round in which a member has been missed, or 0.
    long round() {
        long round = AddressSpace.getLongAcquire(mine);
        if (round < firstSequence) {
            return 0;
        }
        AccessObserver observer = room.observer();
        if (observer != null) {
            observer.observed(Region.SYNC, place(membership.me()), Long.BYTES);
        }
        return round;
    }

    /// Has differences found, too.
    void with(PublishedArguments publishedArguments) {
        this.publishedArguments = publishedArguments;
    }

    /// What members differ in, for people, if somebody has found that they do.
    @Nullable
    String difference() {
        PublishedArguments all = publishedArguments;
        long finder = finder();
        return finder < 0 || all == null ? null : all.difference((int) finder);
    }

    /// The same, if it keeps members from this round: they have differed behind one before it.
    private @Nullable String differenceBefore() {
        long round = round();
        return round == 0 || round >= sequence.getAsLong() ? null : difference();
    }

    /// The same, if I have not gone on behind it.
    @Nullable
    String differenceAfter() {
        return next(true) <= sequence.getAsLong() ? null : differenceBefore();
    }

    /// What ends a wait in a round of all members.
    FailureCheck ofRounds() {
        return ofRounds;
    }

    /// What ends a wait for a member that may still use my memory.
    FailureCheck ofRelease(int member) {
        partner = member;
        return ofPart;
    }

    /// What ends a wait in a barrier, which goes on without the dead but not with members that differ.
    FailureCheck ofBarriers() {
        return ofBarriers;
    }

    /// What ends a wait in the last rounds of a team or a world, which members go on to behind what they differ
    /// in.
    FailureCheck ofEnds() {
        return ofEnds;
    }

    /// Whether members have been missed, and have not only differed.
    boolean reportsMissed() {
        return round() != 0 && (finder() < 0 || failed() != null);
    }

    /// Who has found that members differ, or −1 if nobody has.
    private long finder() {
        long round = round();
        if (round == 0) {
            return -1;
        }
        long word = AddressSpace.getLongAcquire(mine + FINDER);
        long behind = ((word >>> FINDER_BITS) - round) << FINDER_BITS >> FINDER_BITS; // there is no room for all bits
        return word == 0 || round + behind < firstSequence ? -1 : word & (1 << FINDER_BITS) - 1;
    }

    /// Tells everybody that members differ: I have found it behind this round, unless I have been told so.
    void postDifference(long latest) {
        if (finder() < 0) {
            long round = round() == 0 ? latest : round();
            post(round, round << FINDER_BITS | membership.me());
        }
    }

    /// Tells everybody what I have been told, before they hear anything else of me, and that I don't come any
    /// more.
    void forward() {
        leave();
        long round = round();
        if (round != 0) {
            post(round, finderWord());
        }
    }

    /// The number of the first round behind the notice, or 0 if there is none.
    ///
    /// @param isEnd whether it is one of the last: where members differ, those who know of a failure alone may
    ///     have begun a barrier behind the notice, to which not all come
    long next(boolean isEnd) {
        long round = round();
        return round == 0 ? 0 : round + (isEnd && finder() >= 0 ? END_GAP : GAP);
    }

    /// Tells everybody of this round, or of the one that I have been told of, and that I don't come any more.
    void post(long latest) {
        leave();
        post(round() == 0 ? latest : round(), finderWord());
    }

    private long finderWord() {
        return finder() < 0 ? 0 : AddressSpace.getLongOpaque(mine + FINDER);
    }

    private void leave() {
        if (publishedArguments != null) {
            publishedArguments.leave();
        }
    }

    private void post(long round, long finder) {
        if (finder != 0) {
            putToAll(finder, FINDER);
            blockingChannel.fence();
        }
        putToAll(round, 0);
        blockingChannel.fence();
    }

    private void putToAll(long word, long behind) {
        AddressSpace.setLongRelease(mine + behind, word);
        for (int member = 0; member < membership.size(); member++) {
            int pe = membership.pe(member);
            blockingChannel.putWord(word, Long.BYTES, pe, conduit.remoteBase(Region.SYNC, pe) + place(member) + behind);
        }
    }

    private long place(int member) {
        return lines.offset(member) + member * JobSegment.LINE + PLACE;
    }

    /// Why a tag may never come although its member lives, or null. Differences are no such cause: members that
    /// have found some are ahead of who still waits for something else.
    @Override
    public @Nullable RuntimeException check() {
        if (round() == 0) {
            return null;
        }
        PeFailedException failed = failed();
        if (failed != null || finder() >= 0) {
            return failed;
        }
        return new PeFailedException(
                membership.messagePrefix("a collective") + "other members aborted an earlier collective", List.of());
    }

    /// Who has failed, if members have.
    private @Nullable PeFailedException failed() {
        PeFailedException failed = room.failuresBeyond(0, "a collective of team \"" + membership.name() + "\"");
        boolean isOurs = false;
        for (int member = 0; failed != null && !isOurs && member < membership.size(); member++) {
            isOurs = failed.failedPes().contains(membership.pe(member));
        }
        return isOurs ? failed : null;
    }
}
