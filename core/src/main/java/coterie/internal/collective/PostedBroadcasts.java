// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.rma.HeapCopies;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// The way by [Posts]. A team's first broadcast opens them with a round, in which all say where their lines are, and
/// whether they mean the same; where a member has no room for lines, all learn it and go another way.
final class PostedBroadcasts {
    private static final int PLACE = 1;
    private static final long NONE = -1;

    private final Membership membership;
    private final TeamSync teamSync;
    private final AgreedRounds rounds;
    private final FlatRound meeting;
    private final Means means;
    private final HeapCopies copies;

    /// Where my lines are in my sync area, and behind them my paper.
    private long lines = NONE;

    private @Nullable Posts posts;
    private boolean isRefused;

    PostedBroadcasts(TeamSync teamSync, AgreedRounds rounds, FlatRound meeting, Means means, HeapCopies copies) {
        this.membership = teamSync.membership();
        this.teamSync = teamSync;
        this.rounds = rounds;
        this.meeting = meeting;
        this.means = means;
        this.copies = copies;
    }

    /// Goes this way if all members have room.
    ///
    /// @return whether it was gone
    boolean run(Call call) {
        Posts ready = posts;
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
            abandon(call, ready, new CoterieException(membership.who(call.kind.words()) + e, e));
            throw e;
        } finally {
            rounds.leave();
        }
        return true;
    }

    private void abandon(Call call, Posts ready, RuntimeException why) {
        if (why instanceof CollectiveMismatchException) {
            meeting.giveDifference();
        }
        teamSync.fail(why);
        if (why instanceof CollectiveMismatchException || why instanceof PeFailedException) {
            ready.abandon(call); // all have been told why
        }
    }

    private @Nullable Posts open(Call call) {
        lines = means.lines().take(bytes());
        meeting.say(PLACE, lines);
        boolean haveAgreed = false;
        try {
            rounds.agree(call, PLACE + 1);
            haveAgreed = true;
        } finally {
            if (!haveAgreed && lines != NONE) {
                Papers.leave(base(membership.me()) + lines + membership.size() * JobSegment.LINE);
            }
        }
        if (meeting.firstThatSays(PLACE, NONE) >= 0) {
            isRefused = true;
            close();
            return null;
        }
        int size = membership.size();
        long[] blocks = new long[size];
        long[] places = new long[size];
        for (int member = 0; member < size; member++) {
            blocks[member] = base(member) + meeting.heard(member, PLACE);
            places[member] = blocks[member] + size * JobSegment.LINE;
        }
        Papers papers = new Papers(membership, meeting, places);
        meeting.tellOf(papers);
        Posts opened = new Posts(membership, meeting, new PostLines(membership.me(), blocks), papers, copies, means.room());
        posts = opened;
        return opened;
    }

    private long base(int member) {
        return member == membership.me()
                ? means.conduit().localBase(Region.SYNC)
                : means.conduit().directBase(Region.SYNC, membership.pe(member));
    }

    private long bytes() {
        return (membership.size() + 1) * JobSegment.LINE;
    }

    /// Gives the lines back; nobody posts any more.
    void close() {
        posts = null;
        if (lines != NONE) {
            means.lines().giveBack(lines, bytes());
            lines = NONE;
        }
    }
}
