// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockingChannel;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Meets by telling everybody: right for the PEs of one node.
///
/// Each member has a line in the sync area of each other member, written by nobody else:
///
/// ```
///  byte 0        8                      64         72                     128
///       │ tag    │ words[0 … 6]         │ tag      │ words[0 … 6]         │
///       └── rounds with an even sequence └── rounds with an odd one
///
///  tag = sequence << 9 | done << 8 | kind           written last, with release
/// ```
///
/// Two halves suffice: nobody can begin round s + 2 before it has seen my tag of round s + 1, which I write after
/// I have read the words of round s. So no flag is ever reset, and a round needs no second one to protect it.
/// Where members have more to do with each other than the words, they *part* behind the round: whoever is done
/// with another's memory says so in the tag that it has written there, and nobody who has not been told goes on.
///
/// Where a member fails, or a collective fails for one, a [FailureNotice] ends the waits of all.
///
/// The tag carries the kind, so that members who call different collectives notice it in the round itself. Cost: n
/// − 1 stores and n − 1 polls per member, one cache-line transfer on the critical path. Where a member can't be
/// stored to, words and tag are one put with signal.
final class FlatRound extends SyncRound {
    private static final long HALF = 64;
    private static final int SHIFT = 9;
    private static final long DONE = 1 << 8;

    /// Bits of a proposal that is decided on.
    private static final int PROPOSAL = 24;

    /// Where said bytes begin in a half: behind the tag and the first word.
    private static final long BYTES_AT = 2 * Long.BYTES;

    /// How many bytes can be said behind the first word.
    static final int MOST_BYTES = (WORDS - 1) * Long.BYTES;

    private final BlockingChannel blockingChannel;

    /// Per member: the address of my line there, or 0 if it can't be stored to.
    private final long[] outgoing;

    /// Per member: my line there, as the conduit names it.
    private final long[] remote;

    /// Per member: the address of its line here.
    private final long[] incoming;

    /// Where my sync area begins.
    private final long mine;

    /// Whether all members' lines can be stored to.
    private final boolean isDirect;

    /// My words as they are put, by halves: whoever has told me of round s + 1 has those of round s, so that they
    /// may be replaced in round s + 2. A channel may still read them when a wait has failed.
    private final MemorySegment outgoingWords = Arena.ofAuto().allocate(2 * WORDS * Long.BYTES, Long.BYTES);

    private final MissingMembers missing;
    private final InlinePayload said = new InlinePayload(MOST_BYTES);
    private final FailureNotice notice;

    /// See [SyncRound#of].
    FlatRound(
            Membership membership,
            SyncLines lines,
            Conduit conduit,
            BlockingChannel blockingChannel,
            WaitingRoom room,
            long firstSequence) {
        super(membership, room, firstSequence);
        this.blockingChannel = blockingChannel;
        this.notice = new FailureNotice(
                membership, lines, conduit, blockingChannel, room, firstSequence, () -> sequence, this::isMissing);
        this.outgoing = new long[size];
        this.remote = new long[size];
        this.incoming = new long[size];
        this.missing = new MissingMembers(membership);
        this.mine = conduit.localBase(Region.SYNC);
        for (int member = 0; member < size; member++) {
            int pe = membership.pe(member);
            long line = lines.offset(member) + me * JobSegment.LINE;
            long direct = conduit.directBase(Region.SYNC, pe);
            outgoing[member] = direct == 0 ? 0 : direct + line;
            remote[member] = conduit.remoteBase(Region.SYNC, pe) + line;
            incoming[member] = mine + lines.offset(me) + member * JobSegment.LINE;
        }
        this.isDirect = Arrays.stream(outgoing).allMatch(line -> line != 0);
    }

    @Override
    public long received(int member, int word) {
        return member == me
                ? words[word]
                : AddressSpace.getLongOpaque(incoming[member] + half(sequence) + 8 + 8L * word);
    }

    /// Says bytes behind the first word, the same to all.
    ///
    /// @param bytes in `[0, MOST_BYTES]`
    void sendBytes(long address, int bytes) {
        said.set(address, 0, bytes);
        if (!isDirect) {
            said.keep(0);
            for (int word = 0; word * Long.BYTES < bytes; word++) {
                words[1 + word] = said.word(word);
            }
        }
    }

    /// Says other bytes to each, in the next round: those behind `address` by `bytes` times its number. Only where
    /// [#isDirect].
    void sendBytesToEach(long address, int bytes) {
        said.set(address, bytes, bytes);
    }

    /// Where the bytes are that a member has said in the latest round.
    long receivedBytes(int member) {
        return member == me ? said.address() : incoming[member] + half(sequence) + BYTES_AT;
    }

    /// Words that so many said bytes take, with the first one.
    static int words(long bytes) {
        return 1 + (int) ((bytes + Long.BYTES - 1) / Long.BYTES);
    }

    boolean isDirect() {
        return isDirect;
    }

    @Override
    long combined(ScalarOperator operator, int word) {
        long result = received(0, word);
        for (int member = 1; member < size; member++) {
            result = operator.of(result, received(member, word));
        }
        return result;
    }

    @Override
    void synchronise(OperationKind kind, int said, @Nullable ScalarOperator operator) {
        round(kind, said);
    }

    @Override
    void synchroniseEnd(OperationKind kind, int said) {
        if (notice.endsTeam()) {
            throw notice.exception(kind.label());
        }
        round(kind, said);
    }

    @Override
    void synchroniseLast(OperationKind kind) {
        synchroniseEnd(kind, 0);
    }

    /// Waits for the tags of the members that live, and clears the words of the others.
    @Override
    void completeLiving(OperationKind kind) {
        long half = half(sequence);
        for (int next = 1; next < size; next++) {
            int member = after(next);
            try {
                room.awaitTag(
                        incoming[member] + half,
                        sequence << SHIFT,
                        kind,
                        membership.label(),
                        sequence,
                        membership.pe(member),
                        null);
            } catch (PeFailedException e) {
                AddressSpace.ALL
                        .asSlice(incoming[member] + half + Long.BYTES, WORDS * Long.BYTES)
                        .fill((byte) 0);
            }
        }
    }

    @Override
    FailureCheck failureCheck() {
        return notice;
    }

    /// Goes on behind a notice of a difference, if there is one that I have not heeded yet; returns whether so.
    @Override
    boolean resynchronise() {
        long next = notice.next();
        if (next <= sequence + 1) {
            return false;
        }
        blockingChannel.quiet(Channel.ALL_PEERS); // a tag from before the gap must not come after one from behind it
        sequence = next - 1;
        return true;
    }

    @Override
    FailureNotice notice() {
        return notice;
    }

    /// Has differences told of that members find elsewhere; see [OnewayBroadcasts].
    void publishTo(PublishedArguments publishedArguments) {
        notice.with(publishedArguments);
    }

    /// The round behind a notice, for [#begun]; or the one behind my latest.
    long next() {
        return 1 + (notice.round() == 0 ? sequence : notice.round());
    }

    /// For what a member has come to a round or a later one, or null if it has not come. Only where [#isDirect].
    @Nullable
    OperationKind begun(int member, long round) {
        long seen = received(member, round);
        return seen < round << SHIFT ? null : OperationKind.of(seen & 0xFF);
    }

    /// Whether a member has come to the round behind my latest. Only where [#isDirect].
    boolean isBehind(int member) {
        return received(member, sequence + 1) >>> SHIFT == sequence + 1;
    }

    /// Whether a member has not told me of the round that is under way.
    private boolean isMissing(int member) {
        return received(member, sequence) < sequence << SHIFT;
    }

    private long received(int member, long round) {
        long line = member == me ? outgoing[after(1)] : incoming[member];
        return AddressSpace.getLongAcquire(line + half(round));
    }

    /// What members differ in, if I have been told.
    @Nullable
    String difference() {
        return notice.difference();
    }

    private void round(OperationKind kind, int wordsSaid) {
        long number = ++sequence;
        long tag = tag(number, kind);
        room.step(kind, 0);
        if (said.areNew()) {
            notifyWithBytes(tag, half(number));
        } else {
            for (int next = 1; next < size; next++) {
                notifyPeer(after(next), tag, half(number), wordsSaid);
            }
        }
        count(size - 1);
        room.step(kind, 1);
        room.delayFirstPoll();
        boolean allHere = true;
        boolean allAgree = true;
        for (int next = 1; next < size; next++) {
            int member = after(next);
            long line = incoming[member] + half(number);
            long seen = AddressSpace.getLongAcquire(line);
            if (seen < number << SHIFT) {
                seen = awaitTag(line, number, kind, member);
            }
            allAgree &= (seen & ~DONE) == tag;
            allHere &= seen != 0;
        }
        if (kind == OperationKind.BARRIER) {
            VarHandle.fullFence(); // here, where my tags have come: before them it would wait for their lines
        }
        AccessObserver observer = room.observer();
        if (observer != null) {
            notifyPeer(observer, half(number));
        }
        if (!allHere) {
            throw missing.toException();
        }
        if (!allAgree) {
            throw mismatch(kind);
        }
        if (isDirect && !isEnd(kind) && !room.isOversubscribed()) {
            prefetchForWrite(half(number + 1));
        }
    }

    /// Fetches the lines that I tell the next round by, while nobody looks at them: else its tags would wait for
    /// them. All have told me of this round, so nobody needs the words of the one before any more.
    ///
    /// Not behind a last round, when the lines may be another team's by the time my stores come; and not where PEs
    /// outnumber processors, which look there before I come again.
    private void prefetchForWrite(long half) {
        for (int next = 1; next < size; next++) {
            AddressSpace.setLongOpaque(outgoing[after(next)] + half + HALF - Long.BYTES, 0); // its last word
        }
    }

    private void notifyWithBytes(long tag, long half) {
        for (int next = 1; next < size; next++) {
            int member = after(next);
            long line = outgoing[member] + half;
            AddressSpace.setLongOpaque(line + 8, words[0]);
            said.copy(member, line + BYTES_AT);
            AddressSpace.setLongRelease(line, tag);
        }
        said.keep(me);
    }

    @Override
    void awaitRelease(OperationKind kind, int root) {
        long done = tag(sequence, kind) | DONE;
        room.step(kind, 2);
        if (!isDirect) {
            blockingChannel.fence(); // the tag of the round, which this one replaces, must not come behind it
        }
        if (root == me || root == EVERYBODY) {
            for (int next = 1; root == EVERYBODY && next < size; next++) {
                notifyPeer(after(next), done, half(sequence), 0);
            }
            room.step(kind, 3);
            awaitReleases(kind);
        } else {
            notifyPeer(root, done, half(sequence), 0);
            room.step(kind, 3);
        }
    }

    private void awaitReleases(OperationKind kind) {
        room.delayFirstPoll();
        boolean allHere = true;
        long done = tag(sequence, kind) | DONE;
        for (int next = 1; next < size; next++) {
            int member = after(next);
            long line = incoming[member] + half(sequence);
            long seen = AddressSpace.getLongAcquire(line);
            allHere &= seen >= done || await(line, done, kind, member, notice.ofRelease(member)) != 0;
        }
        AccessObserver observer = room.observer();
        if (observer != null) {
            notifyPeer(observer, half(sequence));
        }
        if (!allHere) {
            throw missing.toException();
        }
    }

    private void count(int messages) {
        room.counters().collectives++;
        room.counters().messages += messages;
    }

    /// As [Membership#after], by numbers that are at hand.
    private int after(int steps) {
        int member = me + steps;
        return member < size ? member : member - size;
    }

    /// Tells that the members have come whose tags are here.
    private void notifyPeer(AccessObserver observer, long half) {
        for (int member = 0; member < size; member++) {
            if (member != me && !missing.has(member)) {
                observer.observed(Region.SYNC, incoming[member] + half - mine, Long.BYTES);
            }
        }
    }

    /// The first proposal stands, and everybody gets it. The word is the half of member 0's line to itself. Of the
    /// round's number as many bits go with it as there is room for: no word is as old as those come round again.
    @Override
    long decide(long proposal) {
        long place = remote[0] - me * JobSegment.LINE + half(sequence);
        room.counters().messages += me == 0 ? 0 : 1;
        long decided = sequence << PROPOSAL | proposal;
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
        if (outgoing[0] != 0) {
            long address = outgoing[0] - me * JobSegment.LINE + half(sequence);
            return AddressSpace.compareAndExchangeLong(address, expected, value);
        }
        return blockingChannel.compareAndSwap(expected, value, Long.BYTES, membership.pe(0), place);
    }

    void notifyPeer(int member, long tag, long half, int said) {
        long line = outgoing[member];
        if (line != 0) {
            for (int word = 0; word < said; word++) {
                AddressSpace.setLongOpaque(line + half + 8 + 8L * word, words[word]);
            }
            AddressSpace.setLongRelease(line + half, tag);
        } else {
            VarHandle.releaseFence(); // what I stored where others load it
            put(member, tag, half, said);
        }
    }

    private void put(int member, long tag, long half, int said) {
        long place = remote[member] + half;
        if (said == 0) {
            blockingChannel.putWord(tag, Long.BYTES, membership.pe(member), place);
            return;
        }
        long from = half == 0 ? 0 : WORDS * Long.BYTES;
        for (int word = 0; word < said; word++) {
            outgoingWords.set(JAVA_LONG, from + (long) word * Long.BYTES, words[word]);
        }
        long bytes = (long) said * Long.BYTES;
        blockingChannel.putSignalNbi(
                outgoingWords, from, bytes, membership.pe(member), place + 8, place, SignalOperation.SET, tag);
    }

    /// As [#await], for a round: apart, since the JIT compiler inlines the round while it has at most 325 bytes.
    private long awaitTag(long line, long round, OperationKind kind, int member) {
        return await(line, round << SHIFT, kind, member, notice.ofRounds(kind));
    }

    /// The tag of a member who is late, or 0 if it won't come.
    private long await(long line, long least, OperationKind kind, int member, @Nullable FailureCheck cause) {
        try {
            return room.awaitTag(line, least, kind, membership.label(), sequence, membership.pe(member), cause);
        } catch (PeFailedException e) {
            missing.note(member, e);
            return 0;
        } catch (CollectiveMismatchException e) {
            throw mismatch(kind);
        } catch (CoterieException e) {
            missing.forget();
            throw e;
        }
    }

    private CoterieException mismatch(OperationKind kind) {
        missing.forget();
        if (notice.endsTeam()) {
            return notice.exception(kind.label()); // members that have learnt of it don't come to this round
        }
        String difference = notice.differenceAfter();
        if (difference != null) {
            return new CollectiveMismatchException(
                    membership.messagePrefix(kind.label() + " #" + sequence) + difference);
        }
        StringBuilder calls = new StringBuilder();
        boolean isByLayers = false;
        for (int member = 0; member < size; member++) {
            OperationKind came = member == me
                    ? kind
                    : OperationKind.of(AddressSpace.getLongAcquire(incoming[member] + half(sequence)) & 0xFF);
            isByLayers |= came.isByComponents();
            calls.append(member == 0 ? "" : ", ")
                    .append("PE ")
                    .append(membership.pe(member))
                    .append(' ')
                    .append(came.label());
        }
        return new CollectiveMismatchException(
                kind.label() + " #" + sequence + " on team \"" + membership.name() + "\", PE " + membership.pe(me)
                        + ": members call different collectives: " + calls + (isByLayers ? differingSettings() : ""));
    }

    static long tag(long sequence, OperationKind kind) {
        return sequence << SHIFT | kind.ordinal();
    }

    static long half(long sequence) {
        return (sequence & 1) * HALF;
    }
}
