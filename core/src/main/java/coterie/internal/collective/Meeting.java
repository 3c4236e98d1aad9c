// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.Wire;
import coterie.internal.wait.LostCause;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import coterie.spi.Witness;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One round in which every member of a team tells every other what it has come for, and a few words with it.
///
/// Each member has a line in the sync area of each other member, written by nobody else:
///
/// ```
///  byte 0        8                      64         72                     128
///       │ tag    │ words[0 … 6]         │ tag      │ words[0 … 6]         │
///       └── rounds with an even sequence └── rounds with an odd one
///
///  tag = sequence << 8 | kind           written last, with release
/// ```
///
/// Two halves suffice: nobody can begin round s + 2 before it has seen my tag of round s + 1, which I write after I
/// have read the words of round s. So no flag is ever reset, and a round needs no second one to protect it.
///
/// Where a member fails between telling one and telling another, a [Notice] brings those who have heard of it and
/// those who have missed it together again.
///
/// The tag carries the kind, so that members who call different collectives notice it in the round itself. Cost: n
/// − 1 stores and n − 1 polls per member, one cache-line transfer on the critical path; right for the PEs of one
/// node.
public final class Meeting {
    /// Words that travel with a tag.
    public static final int WORDS = 7;

    private static final long HALF = 64;

    private final Roster roster;
    private final int me;
    private final int size;
    private final Wire wire;
    private final WaitingRoom room;

    /// Per member: the address of my line there, or 0 if it can't be stored to.
    private final long[] outgoing;

    /// Per member: my line there, as the conduit names it.
    private final long[] remote;

    /// Per member: the address of its line here.
    private final long[] incoming;

    /// Where my sync area begins.
    private final long mine;

    private final long[] words = new long[WORDS];
    private final @Nullable PeFailedException[] absences;

    private final Notice notice;
    private long sequence;

    /// @param lines of the team; nobody else uses them
    /// @param firstSequence number of the first round, the same on all members; what the lines hold of earlier
    ///     rounds is lower
    Meeting(Roster roster, Lines lines, Conduit conduit, Wire wire, WaitingRoom room, long firstSequence) {
        this.roster = roster;
        this.me = roster.me();
        this.size = roster.size();
        this.wire = wire;
        this.room = room;
        this.notice = new Notice(roster, lines, conduit, wire, room, firstSequence);
        this.sequence = firstSequence - 1;
        this.outgoing = new long[size];
        this.remote = new long[size];
        this.incoming = new long[size];
        this.absences = new PeFailedException[size];
        this.mine = conduit.localBase(Region.SYNC);
        for (int member = 0; member < size; member++) {
            int pe = roster.pe(member);
            long line = lines.offset(member) + me * JobSegment.LINE;
            long direct = conduit.directBase(Region.SYNC, pe);
            outgoing[member] = direct == 0 ? 0 : direct + line;
            remote[member] = conduit.remoteBase(Region.SYNC, pe) + line;
            incoming[member] = mine + lines.offset(me) + member * JobSegment.LINE;
        }
    }

    /// Number of the latest round.
    long sequence() {
        return sequence;
    }

    /// Sets a word to tell in the next round.
    public void say(int word, long value) {
        words[word] = value;
    }

    /// What `member` told in the latest round.
    public long heard(int member, int word) {
        return member == me
                ? words[word]
                : AddressSpace.getLongOpaque(incoming[member] + half(sequence) + 8 + 8L * word);
    }

    /// Meets everybody for what needs all members.
    ///
    /// @param said how many words go with it
    /// @throws CollectiveMismatchException if a member has come for something else
    /// @throws PeFailedException if members have failed, or others have missed them
    void meet(WaitKind kind, int said) {
        meet(kind, said, notice);
    }

    /// Meets those who live.
    ///
    /// @param said how many words go with it
    /// @throws CollectiveMismatchException if a member has come for something else
    /// @throws PeFailedException if members have failed; those who live have met all the same
    void meetLiving(WaitKind kind, int said) {
        try {
            meet(kind, said, null);
        } catch (PeFailedException e) {
            if (!catchUp()) {
                throw e;
            }
            meet(kind, said, null);
        }
    }

    /// Goes on behind a notice, if there is one that I have not heeded yet; returns whether so.
    boolean catchUp() {
        long next = notice.next();
        if (next <= sequence + 1) {
            return false;
        }
        sequence = next - 1;
        return true;
    }

    /// Whether others have missed a member in a data collective.
    boolean hasNotice() {
        return notice.round() != 0;
    }

    /// Tells everybody that I have missed a member in the latest round.
    void giveNotice() {
        notice.give(sequence);
    }

    private void meet(WaitKind kind, int said, @Nullable LostCause cause) {
        long number = ++sequence;
        long tag = tag(number, kind);
        room.counters().collectives++;
        room.counters().messages += size - 1;
        room.step(kind, 0);
        for (int next = 1; next < size; next++) {
            int member = me + next < size ? me + next : me + next - size;
            tell(member, tag, half(number), said);
        }
        room.step(kind, 1);
        boolean allHere = true;
        boolean allAgree = true;
        for (int next = 1; next < size; next++) {
            int member = me + next < size ? me + next : me + next - size;
            long line = incoming[member] + half(number);
            long seen = AddressSpace.getLongAcquire(line);
            if (seen < number << 8) {
                seen = await(line, number, kind, member, cause);
            }
            allAgree &= seen == tag;
            allHere &= seen != 0;
        }
        Witness witness = room.witness();
        if (witness != null) {
            tell(witness, half(number));
        }
        if (!allHere) {
            throw absent();
        }
        if (!allAgree) {
            throw mismatch(kind);
        }
    }

    /// Tells that the members have come whose tags are here.
    private void tell(Witness witness, long half) {
        for (int member = 0; member < size; member++) {
            if (member != me && absences[member] == null) {
                witness.observed(Region.SYNC, incoming[member] + half - mine, Long.BYTES);
            }
        }
    }

    /// Decides something once for all members of the latest round: the first proposal stands, and everybody gets
    /// it, also when members fail between seeing the round and saying so. The word is the half of member 0's line
    /// to itself.
    ///
    /// @param proposal in `[0, 2^24)`
    /// @return the decision
    long decide(long proposal) {
        long place = remote[0] - me * JobSegment.LINE + half(sequence);
        room.counters().messages += me == 0 ? 0 : 1;
        long decided = sequence << 24 | proposal;
        long before = swap(place, 0, 0);
        while (before >> 24 != sequence) {
            long found = swap(place, before, decided);
            if (found == before) {
                return proposal;
            }
            before = found;
        }
        return before & (1 << 24) - 1;
    }

    private long swap(long place, long expected, long value) {
        if (outgoing[0] != 0) {
            long address = outgoing[0] - me * JobSegment.LINE + half(sequence);
            return AddressSpace.compareAndExchangeLong(address, expected, value);
        }
        return wire.compareAndSwap(expected, value, Long.BYTES, roster.pe(0), place);
    }

    void tell(int member, long tag, long half, int said) {
        long line = outgoing[member];
        if (line != 0) {
            for (int word = 0; word < said; word++) {
                AddressSpace.setLongOpaque(line + half + 8 + 8L * word, words[word]);
            }
            AddressSpace.setLongRelease(line + half, tag);
        } else {
            int pe = roster.pe(member);
            for (int word = 0; word < said; word++) {
                wire.putWord(words[word], Long.BYTES, pe, remote[member] + half + 8 + 8L * word);
            }
            VarHandle.releaseFence(); // what I stored where others load it
            wire.fence();
            wire.putWord(tag, Long.BYTES, pe, remote[member] + half);
        }
    }

    /// The tag of a member who is late, or 0 if it has failed.
    private long await(long line, long number, WaitKind kind, int member, @Nullable LostCause cause) {
        try {
            return room.awaitTag(line, number << 8, kind, roster.label(), number, roster.pe(member), cause);
        } catch (PeFailedException e) {
            absences[member] = e;
            return 0;
        }
    }

    private PeFailedException absent() {
        StringBuilder causes = new StringBuilder();
        List<Integer> failed = new ArrayList<>();
        List<Integer> met = new ArrayList<>();
        PeFailedException given = null;
        for (int member = 0; member < size; member++) {
            PeFailedException absence = absences[member];
            if (absence == null) {
                met.add(roster.pe(member));
            } else if (absence.failedPes().contains(roster.pe(member))) {
                causes.append(causes.isEmpty() ? "" : "; ").append(absence.getMessage());
                failed.add(roster.pe(member));
            } else {
                given = absence;
            }
            absences[member] = null;
        }
        if (failed.isEmpty() && given != null) {
            return given;
        }
        String who = met.size() == 1 ? "only PE " + met.getFirst() + " came" : "PEs " + met + " have met without it";
        return new PeFailedException(causes + " (team \"" + roster.name() + "\"; " + who + ")", failed);
    }

    private CollectiveMismatchException mismatch(WaitKind kind) {
        StringBuilder calls = new StringBuilder();
        for (int member = 0; member < size; member++) {
            WaitKind came = member == me
                    ? kind
                    : WaitKind.of(AddressSpace.getLongAcquire(incoming[member] + half(sequence)) & 0xFF);
            calls.append(member == 0 ? "" : ", ")
                    .append("PE ")
                    .append(roster.pe(member))
                    .append(' ')
                    .append(came.words());
        }
        return new CollectiveMismatchException(kind.words() + " #" + sequence + " on team \"" + roster.name()
                + "\", PE " + roster.pe(me) + ": members call different collectives: " + calls);
    }

    static long tag(long sequence, WaitKind kind) {
        return sequence << 8 | kind.ordinal();
    }

    static long half(long sequence) {
        return (sequence & 1) * HALF;
    }
}
