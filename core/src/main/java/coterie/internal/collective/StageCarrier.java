// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.mapped.Copy;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;

/// In a stage of each member's own, from which the others read: for some hundred bytes, whose copy costs less than
/// a second word from each to each. Only where members load each other's memory.
///
/// A stage has two halves, for rounds with an even sequence and with an odd one, like the lines of a [FlatMeeting]
/// and for the same reason: nobody begins round s + 2 before all have read what was said in round s. It is taken
/// with the first call; where a member gets none, all learn it in the round.
final class StageCarrier implements Carrier {
    /// Of a half.
    static final int BYTES = 1024;

    private static final int PLACE = 1;
    private static final long NONE = -1;

    private final Roster roster;
    private final FlatMeeting meeting;
    private final Means means;

    /// Per member: the address of its sync area here.
    private final long[] bases;

    private long stage = NONE;

    /// Where my part begins in what a member has said.
    private long part;

    StageCarrier(Roster roster, FlatMeeting meeting, Means means) {
        this.roster = roster;
        this.meeting = meeting;
        this.means = means;
        this.bases = new long[roster.size()];
        for (int member = 0; member < bases.length; member++) {
            bases[member] = member == roster.me()
                    ? means.conduit().localBase(Region.SYNC)
                    : means.conduit().directBase(Region.SYNC, roster.pe(member));
        }
    }

    @Override
    public int mostBytes() {
        return BYTES;
    }

    @Override
    public boolean serves(Call call) {
        long staged = Carrier.isEach(call) ? call.length() * roster.size() : call.length();
        return meeting.isDirect() && staged <= BYTES;
    }

    @Override
    public int say(Call call, long address, int bytes) {
        boolean isEach = Carrier.isEach(call);
        part = isEach ? (long) roster.me() * bytes : 0;
        if (Carrier.isSilent(call, roster)) {
            meeting.say(PLACE, 0);
            return PLACE + 1;
        }
        if (stage == NONE) {
            stage = means.lines().take(2 * BYTES);
        }
        if (stage == NONE) {
            meeting.say(PLACE, NONE);
            return PLACE + 1;
        }
        long half = stage + (meeting.sequence() + 1 & 1) * BYTES;
        long length = isEach ? (long) bytes * roster.size() : bytes;
        Copy.copy(AddressSpace.ALL, address, AddressSpace.ALL, bases[roster.me()] + half, length);
        meeting.say(PLACE, half);
        return PLACE + 1;
    }

    @Override
    public boolean hasAll() {
        return meeting.firstThatSays(PLACE, NONE) < 0;
    }

    @Override
    public long heard(int member) {
        return bases[member] + meeting.heard(member, PLACE) + part;
    }

    /// Gives the stage back; nobody reads it any more.
    void close() {
        if (stage != NONE) {
            means.lines().giveBack(stage, 2 * BYTES);
            stage = NONE;
        }
    }
}
