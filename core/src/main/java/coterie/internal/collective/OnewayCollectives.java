// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.component.CollectiveResources;
import coterie.internal.memory.JobSegment;
import coterie.internal.rma.SymmetricCopies;
import coterie.internal.sync.FailureNotice;
import coterie.internal.sync.FlatRound;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// The way by [OnewayBroadcasts]. A team's first broadcast opens them with a round, in which all members send where
/// their lines are, and compare their arguments. If a member has no room for lines, all learn it and go another way.
final class OnewayCollectives {
    private static final int PLACE = 1;
    private static final long NONE = -1;

    private final Membership membership;
    private final TeamSync teamSync;
    private final FlatRound rounds;
    private final CollectiveResources resources;
    private final SymmetricCopies copies;

    /// Where my lines are in my sync area, and behind them what I have called for.
    private long lines = NONE;

    private @Nullable OnewayBroadcasts onewayBroadcasts;
    private boolean isRefused;

    OnewayCollectives(TeamSync teamSync, FlatRound rounds, CollectiveResources resources, SymmetricCopies copies) {
        this.membership = teamSync.membership();
        this.teamSync = teamSync;
        this.rounds = rounds;
        this.resources = resources;
        this.copies = copies;
    }

    /// Goes this way if all members have room.
    ///
    /// @return whether it was gone
    boolean run(Call call) {
        OnewayBroadcasts ready = onewayBroadcasts;
        if (ready == null) {
            ready = isRefused ? null : open(call);
            if (ready == null) {
                return false;
            }
        }
        try {
            ready.broadcast(call);
        } catch (RuntimeException e) {
            abandon(call, ready, e);
            throw e;
        } catch (Error e) {
            abandon(call, ready, new CoterieException(membership.messagePrefix(call.kind.label()) + e, e));
            throw e;
        }
        return true;
    }

    private void abandon(Call call, OnewayBroadcasts ready, RuntimeException why) {
        if (why instanceof CollectiveMismatchException) {
            rounds.notice().post(FailureNotice.Cause.DIFFERENT);
        }
        teamSync.fail(why);
        if (why instanceof CollectiveMismatchException || why instanceof PeFailedException) {
            ready.abandon(call); // all have been told why
        }
    }

    private @Nullable OnewayBroadcasts open(Call call) {
        lines = resources.lines().acquire(bytes());
        rounds.send(PLACE, lines);
        try {
            teamSync.agree(call.agreed, PLACE + 1);
        } catch (Throwable e) {
            if (lines != NONE) {
                PublishedArguments.leave(base(membership.me()) + lines + membership.size() * JobSegment.LINE);
            }
            throw e;
        }
        if (rounds.firstWith(PLACE, NONE) >= 0) {
            isRefused = true;
            close();
            return null;
        }
        int size = membership.size();
        long[] blocks = new long[size];
        long[] places = new long[size];
        for (int member = 0; member < size; member++) {
            blocks[member] = base(member) + rounds.received(member, PLACE);
            places[member] = blocks[member] + size * JobSegment.LINE;
        }
        PublishedArguments publishedArguments = new PublishedArguments(membership, rounds, places);
        rounds.notice().with(publishedArguments);
        OnewayBroadcasts opened = new OnewayBroadcasts(
                membership,
                rounds,
                new OnewayLines(membership.me(), blocks),
                publishedArguments,
                copies,
                resources.runtime());
        onewayBroadcasts = opened;
        return opened;
    }

    private long base(int member) {
        return member == membership.me()
                ? resources.conduit().localBase(Region.SYNC)
                : resources.conduit().directBase(Region.SYNC, membership.pe(member));
    }

    private long bytes() {
        return (membership.size() + 1) * JobSegment.LINE;
    }

    /// Releases the lines, into which no member posts any more.
    void close() {
        onewayBroadcasts = null;
        if (lines != NONE) {
            resources.lines().release(lines, bytes());
            lines = NONE;
        }
    }
}
