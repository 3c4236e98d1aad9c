// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.PeContext;
import coterie.internal.wait.LostCause;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
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
/// A member that misses a failed one in the round of a data collective has no part in those to come. Others may have
/// heard of the failed one all the same: it failed between telling one and telling another. So who misses it tells
/// everybody else by a *notice*, the number of that round, in the second word of a member's line to itself. Whoever
/// finds a notice stops waiting for tags that may never come; and all who live go on, in barriers and for the team's
/// end, with the number [#GAP] behind it, so that they are in step however many rounds each had begun.
///
/// The tag carries the kind, so that members who call different collectives notice it in the round itself. Cost: n
/// − 1 stores and n − 1 polls per member, one cache-line transfer on the critical path; right for the PEs of one
/// node.
public final class Meeting implements LostCause {
    /// Words that travel with a tag.
    public static final int WORDS = 7;

    private static final long HALF = 64;
    private static final long NOTICE = 8;

    /// More than the rounds that a member can have begun behind the one of a notice, and odd: what is told behind it
    /// goes to the other half, since some may still read this one.
    private static final int GAP = 5;

    private final Roster roster;
    private final int me;
    private final int size;
    private final PeContext context;
    private final Conduit conduit;
    private final WaitingRoom room;

    /// Per member: the address of my line there, or 0 if it can't be stored to.
    private final long[] outgoing;

    /// Per member: my line there, as the conduit names it.
    private final long[] remote;

    /// Per member: the address of its line here.
    private final long[] incoming;

    private final long[] words = new long[WORDS];
    private final @Nullable PeFailedException[] absences;

    /// Lower numbers are those of an earlier world on the same lines.
    private final long firstSequence;

    private long sequence;

    /// @param lines of the team; nobody else uses them
    /// @param firstSequence number of the first round, the same on all members; what the lines hold of earlier
    ///     rounds is lower
    Meeting(Roster roster, Lines lines, PeContext context, Conduit conduit, WaitingRoom room, long firstSequence) {
        this.roster = roster;
        this.me = roster.me();
        this.size = roster.size();
        this.context = context;
        this.conduit = conduit;
        this.room = room;
        this.firstSequence = firstSequence;
        this.sequence = firstSequence - 1;
        this.outgoing = new long[size];
        this.remote = new long[size];
        this.incoming = new long[size];
        this.absences = new PeFailedException[size];
        long mine = conduit.directBase(Region.SYNC, roster.pe(me)) + lines.offset(me);
        for (int member = 0; member < size; member++) {
            int pe = roster.pe(member);
            long line = lines.offset(member) + me * JobSegment.LINE;
            long direct = conduit.directBase(Region.SYNC, pe);
            outgoing[member] = direct == 0 ? 0 : direct + line;
            remote[member] = conduit.remoteBase(Region.SYNC, pe) + line;
            incoming[member] = mine + member * JobSegment.LINE;
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
        meet(kind, said, this);
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
        long missed = missed();
        if (missed == 0 || sequence >= missed + GAP - 1) {
            return false;
        }
        sequence = missed + GAP - 1;
        return true;
    }

    /// The round in which a member has missed a failed one, or 0.
    long missed() {
        long notice = AddressSpace.getLongAcquire(incoming[me] + NOTICE);
        return notice >= firstSequence ? notice : 0;
    }

    /// Gives notice of the latest round, or hands on the one that I have.
    void giveNotice() {
        long notice = missed() == 0 ? sequence : missed();
        AddressSpace.setLongRelease(incoming[me] + NOTICE, notice);
        for (int next = 1; next < size; next++) {
            int member = me + next < size ? me + next : me + next - size;
            long offset = (member - me) * JobSegment.LINE + NOTICE;
            if (outgoing[member] != 0) {
                AddressSpace.setLongRelease(outgoing[member] + offset, notice);
            } else {
                conduit.putWord(notice, Long.BYTES, roster.pe(member), remote[member] + offset);
            }
        }
        conduit.fence();
    }

    /// Whether a tag may never come since its member has missed another one.
    @Override
    public @Nullable PeFailedException check() {
        return missed() == 0 ? null : missedByOthers("tag");
    }

    /// The exception for what can't be since other members have missed one that has failed.
    PeFailedException missedByOthers(String operation) {
        PeFailedException failures = room.failuresBeyond(0, operation);
        return failures != null
                ? failures
                : new PeFailedException(
                        roster.who(operation) + "other members have missed one that is over", List.of());
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
        if (!allHere) {
            throw absent();
        }
        if (!allAgree) {
            throw mismatch(kind);
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
        return context.swapWord(expected, value, roster.pe(0), place);
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
                conduit.putWord(words[word], Long.BYTES, pe, remote[member] + half + 8 + 8L * word);
            }
            VarHandle.releaseFence(); // what I stored where others load it
            conduit.fence();
            conduit.putWord(tag, Long.BYTES, pe, remote[member] + half);
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
