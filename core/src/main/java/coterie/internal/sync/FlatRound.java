// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A round in which each member notifies all others: right for the PEs of one node.
///
/// Each member has a line in the sync area of each other member, which no other member writes:
///
/// ```
///  byte 0        8                      64         72                     128
///       │ tag    │ words[0 … 6]         │ tag      │ words[0 … 6]         │
///       └── rounds with an even sequence └── rounds with an odd one
///
///  tag = sequence << 10 | gave up << 9 | done << 8 | kind     written last, with release
/// ```
///
/// Two halves suffice: no member begins round s + 2 before it has seen my tag of round s + 1, which I write after
/// I have read the words of round s. So no flag is ever reset, and a round needs no second one to protect it.
/// Where members use each other's memory after the round, they *part*: a member that has completed its use of
/// another's memory marks that in the tag that it has written there, and each member waits for these marks. So do
/// members that agree: see [FlatAgreement].
///
/// Where a member fails, or a collective fails for one, a [FailureNotice] ends the waits of all.
///
/// The tag carries the kind, so that members that call different collectives find it in the round itself. Cost: n
/// − 1 stores and n − 1 polls per member, one cache-line transfer on the critical path. Where a member can't be
/// stored to, words and tag are one put with signal.
public final class FlatRound extends SyncRound {
    private static final long HALF = 64;
    private static final int SHIFT = 10;
    static final long DONE = 1 << 8;
    static final long GAVE_UP = 1 << 9;
    private static final long MARKS = DONE | GAVE_UP;

    /// Where inline bytes begin in a half: after the tag and the first word.
    private static final long BYTES_AT = 2 * Long.BYTES;

    /// The number of inline bytes that fit after the first word.
    public static final int MOST_BYTES = (WORDS - 1) * Long.BYTES;

    /// Per member: the address of my line there, or 0 if it can't be stored to.
    final long[] outgoing;

    /// Per member: my line there, as the conduit names it.
    final long[] remote;

    /// Per member: the address of its line here.
    final long[] incoming;

    /// Where my sync area begins.
    private final long mine;

    /// Whether all members' lines can be stored to.
    private final boolean isDirect;

    /// My words as they are put, by halves: a member whose tag of round s + 1 is here has those of round s, so
    /// that they may be replaced in round s + 2. A channel may still read them when a wait has failed.
    /// None where all lines can be stored to.
    private final MemorySegment outgoingWords;

    final MissingMembers missing;
    final FlatAgreement agreement;
    private final InlinePayload said = new InlinePayload(MOST_BYTES);

    /// See [SyncRound#of].
    FlatRound(TeamLines lines) {
        super(lines);
        this.outgoing = new long[size];
        this.remote = new long[size];
        this.incoming = new long[size];
        this.missing = new MissingMembers(membership);
        this.mine = lines.localBase();
        this.agreement = new FlatAgreement(this);
        for (int member = 0; member < size; member++) {
            long line = lines.offset(member) + me * JobSegment.LINE;
            long direct = lines.directBase(member);
            outgoing[member] = direct == 0 ? 0 : direct + line;
            remote[member] = lines.remoteBase(member) + line;
            incoming[member] = mine + lines.offset(me) + member * JobSegment.LINE;
        }
        this.isDirect = Arrays.stream(outgoing).allMatch(line -> line != 0);
        this.outgoingWords =
                isDirect ? MemorySegment.NULL : Arena.ofAuto().allocate(2 * WORDS * Long.BYTES, Long.BYTES);
    }

    @Override
    public long received(int member, int word) {
        return member == me
                ? words[word]
                : AddressSpace.getLongOpaque(incoming[member] + half(sequence) + 8 + 8L * word);
    }

    /// Sends bytes after the first word, the same to all members.
    ///
    /// @param bytes in `[0, MOST_BYTES]`
    public void sendBytes(long address, int bytes) {
        said.set(address, 0, bytes);
        if (!isDirect) {
            said.keep(0);
            for (int word = 0; word * Long.BYTES < bytes; word++) {
                words[1 + word] = said.word(word);
            }
        }
    }

    /// Sends each member its own bytes in the next round: those at `address` plus `bytes` times its number. Only
    /// where [#isDirect].
    public void sendBytesToEach(long address, int bytes) {
        said.set(address, bytes, bytes);
    }

    /// Returns the address of the bytes that a member has sent in the latest round.
    public long receivedBytes(int member) {
        return member == me ? said.address() : incoming[member] + half(sequence) + BYTES_AT;
    }

    /// Returns the number of words that so many inline bytes take, with the first one.
    public static int words(long bytes) {
        return 1 + (int) ((bytes + Long.BYTES - 1) / Long.BYTES);
    }

    public boolean isDirect() {
        return isDirect;
    }

    @Override
    void synchronize(OperationKind kind, int said, @Nullable ScalarOperator operator) {
        round(kind, said);
    }

    @Override
    void synchronizeEnd(OperationKind kind, int said) {
        if (notice.endsTeam()) {
            throw notice.exception(kind.label());
        }
        round(kind, said);
    }

    /// Continues after a notice of a difference, if this member has not yet; returns whether there was one.
    @Override
    boolean resynchronize() {
        long next = notice.next();
        if (next <= sequence + 1) {
            return false;
        }
        blockingChannel.quiet(Channel.ALL_PEERS); // a tag from before the gap must not arrive after a later one
        sequence = next - 1;
        return true;
    }

    /// Returns the round after a notice, for [#begun]; or the one after my latest.
    public long next() {
        return 1 + (notice.round() == 0 ? sequence : notice.round());
    }

    /// Returns the collective whose round, or a later one, a member has begun, or null. Only where [#isDirect].
    @Nullable
    public OperationKind begun(int member, long round) {
        long seen = received(member, round);
        return seen < round << SHIFT ? null : OperationKind.of(seen & 0xFF);
    }

    /// Returns whether a member has begun the round after my latest. Only where [#isDirect].
    public boolean isBehind(int member) {
        return received(member, sequence + 1) >>> SHIFT == sequence + 1;
    }

    /// Returns whether the tag of a member is missing.
    @Override
    boolean isNeeded(int member) {
        return received(member, sequence) < sequence << SHIFT;
    }

    private long received(int member, long round) {
        long line = member == me ? outgoing[after(1)] : incoming[member];
        return AddressSpace.getLongAcquire(line + half(round));
    }

    private void round(OperationKind kind, int wordsSaid) {
        long number = ++sequence;
        long tag = tag(number, kind);
        runtime.step(kind, 0);
        if (said.areNew()) {
            notifyWithBytes(tag, half(number));
        } else {
            for (int next = 1; next < size; next++) {
                notifyPeer(after(next), tag, half(number), wordsSaid);
                runtime.step(kind, 4);
            }
        }
        count(size - 1);
        runtime.step(kind, 1);
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
            allAgree &= (seen & ~MARKS) == tag;
            allHere &= seen != 0;
        }
        if (kind == OperationKind.BARRIER) {
            VarHandle.fullFence(); // here, after my tags have arrived: before that it would wait for their lines
        }
        observe(half(number));
        if (!allHere) {
            throw missing.toException();
        }
        if (!allAgree) {
            throw mismatch(kind);
        }
        if (isDirect && kind != OperationKind.CLOSE && !room.isOversubscribed()) {
            prefetchForWrite(half(number + 1));
        }
    }

    /// Prefetches, for writing, the lines of the next round, while no member polls them: else its tags would wait
    /// for them. The tags of all members are here, so no member needs the words of the round before any more.
    ///
    /// Not after a last round, when the lines may be another team's by the time my stores arrive; and not where
    /// PEs outnumber processors, which poll there before this member runs again.
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
        runtime.step(kind, 2);
        if (root == me || root == EVERYBODY) {
            if (root == EVERYBODY) {
                sendMarked(kind, done);
            }
            runtime.step(kind, 3);
            awaitReleases(kind);
        } else {
            fenceTags();
            notifyPeer(root, done, half(sequence), 0);
            runtime.step(kind, 3);
        }
    }

    /// Replaces my tags of the round by one with a mark.
    void sendMarked(OperationKind kind, long tag) {
        fenceTags();
        for (int next = 1; next < size; next++) {
            notifyPeer(after(next), tag, half(sequence), 0);
            runtime.step(kind, 5);
        }
    }

    /// Has the tags of the round, and its words, not arrive after those that replace them.
    private void fenceTags() {
        if (!isDirect) {
            blockingChannel.fence();
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
        observe(half(sequence));
        if (!allHere) {
            throw missing.toException();
        }
    }

    private void count(int messages) {
        runtime.counters().collectives++;
        runtime.counters().messages += messages;
    }

    /// Returns the same as [Membership#after], from cached numbers.
    int after(int steps) {
        int member = me + steps;
        return member < size ? member : member - size;
    }

    /// Notifies the observer, if there is one, of the members whose tags are here.
    void observe(long half) {
        AccessObserver observer = runtime.observer();
        for (int member = 0; observer != null && member < size; member++) {
            if (member != me && !missing.has(member)) {
                observer.observed(Region.SYNC, incoming[member] + half - mine, Long.BYTES);
            }
        }
    }

    @Override
    void beginAgreement(OperationKind kind) {
        agreement.begin(tag(sequence + 1, kind));
    }

    @Override
    long part(OperationKind kind, Agreement.Ballot ballot) {
        return agreement.part(kind, ballot);
    }

    @Override
    void leaveAgreement() {
        agreement.leave();
    }

    void notifyPeer(int member, long tag, long half, int said) {
        long line = outgoing[member];
        if (line != 0) {
            for (int word = 0; word < said; word++) {
                AddressSpace.setLongOpaque(line + half + 8 + 8L * word, words[word]);
            }
            AddressSpace.setLongRelease(line + half, tag);
        } else {
            VarHandle.releaseFence(); // for my stores to memory that others load
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

    /// Awaits the tag of a round: apart, since the JIT compiler inlines the round while it has at most 325 bytes.
    private long awaitTag(long line, long round, OperationKind kind, int member) {
        return await(line, round << SHIFT, kind, member, notice.ofRounds(kind, member));
    }

    /// Returns the tag of a late member, or 0 if it will never arrive.
    long await(long line, long least, OperationKind kind, int member, @Nullable FailureCheck cause) {
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
            return notice.exception(kind.label()); // members with the notice do not begin this round
        }
        String difference = notice.differenceAfter();
        if (difference != null) {
            return new CollectiveMismatchException(messagePrefix(kind) + difference);
        }
        String closed = notice.closings().difference(kind, sequence);
        if (closed != null) {
            return new CollectiveMismatchException(messagePrefix(kind) + closed);
        }
        Map<OperationKind, List<Integer>> calls = PeRanges.byValue(
                membership, member -> member == me ? kind : OperationKind.of(received(member, sequence) & 0xFF));
        boolean isByLayers = calls.keySet().stream().anyMatch(OperationKind::isByComponents);
        return new CollectiveMismatchException(
                messagePrefix(kind) + PeRanges.calls(calls) + (isByLayers ? differingSettings() : ""));
    }

    static long tag(long sequence, OperationKind kind) {
        return sequence << SHIFT | kind.ordinal();
    }

    static long half(long sequence) {
        return (sequence & 1) * HALF;
    }
}
