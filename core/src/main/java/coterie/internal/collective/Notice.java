// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.Wire;
import coterie.internal.wait.LostCause;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import coterie.spi.Witness;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What tells all members of a team that some have missed a failed one in the round of a data collective, in which
/// others have heard of it: it failed between telling one and telling another.
///
/// Whoever misses it has no part in the data collectives to come, and says so to everybody else by the number of
/// the round, in the second word of a member's line to itself. Whoever finds a notice stops waiting for tags that
/// may never come. All who live go on, in barriers and for the team's end, with [#next], so that they are in step
/// however many rounds each had begun.
///
/// All notices of a team name the same round: the next one can't be completed by anybody, since those who have
/// missed the failed member do not come to it.
final class Notice implements LostCause {
    private static final long PLACE = 8;

    /// More than the rounds that a member can have begun behind the one of a notice, and odd: what is told behind
    /// it goes to the other half of the lines, since some may still read this one.
    private static final int GAP = 5;

    private final Roster roster;
    private final Lines lines;
    private final Conduit conduit;
    private final Wire wire;
    private final WaitingRoom room;
    private final long mine;

    /// Lower numbers are those of an earlier world on the same lines.
    private final long firstSequence;

    Notice(Roster roster, Lines lines, Conduit conduit, Wire wire, WaitingRoom room, long firstSequence) {
        this.roster = roster;
        this.lines = lines;
        this.conduit = conduit;
        this.wire = wire;
        this.room = room;
        this.mine = conduit.localBase(Region.SYNC) + place(roster.me());
        this.firstSequence = firstSequence;
    }

    /// The round in which a member has been missed, or 0.
    long round() {
        long round = AddressSpace.getLongAcquire(mine);
        if (round < firstSequence) {
            return 0;
        }
        Witness witness = room.witness();
        if (witness != null) {
            witness.observed(Region.SYNC, place(roster.me()), Long.BYTES);
        }
        return round;
    }

    /// The number of the first round behind the notice, or 0 if there is none.
    long next() {
        long round = round();
        return round == 0 ? 0 : round + GAP;
    }

    /// Tells everybody of this round, or of the one that I have been told of.
    void give(long latest) {
        long round = round() == 0 ? latest : round();
        AddressSpace.setLongRelease(mine, round);
        for (int member = 0; member < roster.size(); member++) {
            int pe = roster.pe(member);
            wire.putWord(round, Long.BYTES, pe, conduit.remoteBase(Region.SYNC, pe) + place(member));
        }
        wire.fence();
    }

    private long place(int member) {
        return lines.offset(member) + member * JobSegment.LINE + PLACE;
    }

    /// Why a tag may never come although its member lives, or null.
    @Override
    public @Nullable PeFailedException check() {
        if (round() == 0) {
            return null;
        }
        PeFailedException failures = room.failuresBeyond(0, "a collective of team \"" + roster.name() + "\"");
        return failures != null
                ? failures
                : new PeFailedException(
                        roster.who("a collective") + "other members have missed one that is over", List.of());
    }
}
