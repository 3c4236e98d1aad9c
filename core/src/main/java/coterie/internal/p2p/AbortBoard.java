// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// What members tell each other when a group of virtual channels comes to its end: each has a line at each other
/// member, in which no other one writes.
///
/// ```
///  byte 0      8                          120
///       │ signal │ words of the cause …     │ left │
/// ```
///
/// *Signal* and words come once: the member has given up, and why. *Left* comes when it is about to close the team
/// with nothing under way: how many runs it has posted, for those that wait for it in a later one. As a close may
/// be refused, it has besides how many closes had been refused before; what is left from an earlier one doesn't
/// count.
///
/// A member whose lines are not known gets what I have to tell once they are: see [#catchUp]. A member that has no
/// lines says so, or that it has left, by its state.
final class AbortBoard {
    private static final long LEFT = 120;
    private static final int CLOSE_BITS = 16;
    private static final long CAUSE_BYTES = AbortReason.WORDS * (long) Long.BYTES;

    private final ChannelGroup channelGroup;
    private final TeamEndpoint endpoint;
    private final MemberAddresses memberAddresses;
    private final long mine;

    /// Closes that have been refused, the same on all members.
    private long refused;

    /// Whether I am in a close that I refuse.
    private volatile boolean objects;

    /// What the others have, or shall have, as my *left*.
    private volatile long left;

    /// Members that could not be told what the others were.
    private final BitSet missed = new BitSet();

    private volatile boolean isBehind;

    AbortBoard(ChannelGroup channelGroup) {
        this.channelGroup = channelGroup;
        this.endpoint = channelGroup.endpoint;
        this.memberAddresses = endpoint.memberAddresses;
        this.mine = endpoint.conduit.localBase(Region.SYNC)
                + memberAddresses.offset(memberAddresses.me())
                + channelGroup.begin;
    }

    /// Whether a member has told that it gave up.
    boolean hasAborted(int member) {
        return AddressSpace.getLongAcquire(mine + member * JobSegment.LINE) != 0;
    }

    /// Why a member gave up, or null.
    @Nullable
    AbortReason reason(int member) {
        long line = mine + member * JobSegment.LINE;
        long signal = AddressSpace.getLongAcquire(line);
        return signal == 0
                ? ofState(member)
                : AbortReason.received(signal, word -> AddressSpace.getLongOpaque(line + (1L + word) * Long.BYTES));
    }

    private @Nullable AbortReason ofState(int member) {
        long state = memberAddresses.offset(member);
        if (state == MemberAddresses.NO_MEMORY) {
            return AbortReason.noMemory(memberAddresses.pe(member));
        }
        return state == MemberAddresses.REVOKED ? AbortReason.revoked(memberAddresses.pe(member)) : null;
    }

    /// Whether a member has come to a close of the team without having posted a run.
    ///
    /// @param sequence of the run
    boolean hasLeft(int member, long sequence) {
        long left = AddressSpace.getLongAcquire(mine + member * JobSegment.LINE + LEFT);
        boolean isOfThisClose = (left & (1 << CLOSE_BITS) - 1) == (refused & (1 << CLOSE_BITS) - 1);
        if (left == 0 && !objects && memberAddresses.offset(member) == MemberAddresses.left(refused)) {
            return true;
        }
        return left != 0 && !objects && isOfThisClose && sequence >= left >>> CLOSE_BITS;
    }

    /// Tells everybody that I come to a close of the team.
    ///
    /// @param posts runs that I have posted, which are over
    void leave(long posts) {
        notifyAll(((posts + 1) << CLOSE_BITS) | (refused & ((1 << CLOSE_BITS) - 1)));
    }

    private void notifyAll(long posted) {
        left = posted;
        for (int member = 0; member < memberAddresses.size(); member++) {
            int pe = memberAddresses.pe(member);
            if (member != memberAddresses.me() && !endpoint.room.hasTerminated(pe) && isKnown(member)) {
                leave(member, pe, posted);
            }
        }
    }

    /// Whether a member's lines are known; else [#catchUp] will tell it.
    private boolean isKnown(int member) {
        if (memberAddresses.offset(member) >= 0) {
            return true;
        }
        synchronized (missed) {
            missed.set(member);
            isBehind = true;
        }
        return false;
    }

    /// Tells members whose lines have become known what the others have been told, as far as the channel accepts
    /// that. Never waits.
    void catchUp() {
        if (!isBehind) {
            return;
        }
        synchronized (missed) {
            for (int member = missed.nextSetBit(0); member >= 0; member = missed.nextSetBit(member + 1)) {
                int pe = memberAddresses.pe(member);
                if (memberAddresses.offset(member) >= 0
                        && (endpoint.conduit.directBase(Region.SYNC, pe) != 0 || endpoint.channel.accepts(pe))) {
                    missed.clear(member);
                    catchUp(member, pe);
                }
            }
            isBehind = !missed.isEmpty();
        }
    }

    private void catchUp(int member, int pe) {
        AbortReason reason = channelGroup.abortReason();
        if (endpoint.room.hasTerminated(pe)) {
            return;
        }
        if (reason == null) {
            leave(member, pe, left);
        } else {
            notifyPeers(member, pe, reason.signal(), words(reason));
        }
    }

    private void leave(int member, int pe, long posted) {
        long line = line(member) + LEFT;
        long direct = endpoint.conduit.directBase(Region.SYNC, pe);
        if (direct != 0) {
            AddressSpace.setLongRelease(direct + line, posted);
        } else if (mayStart(pe)) {
            endpoint.channel.putWord(posted, Long.BYTES, pe, endpoint.conduit.remoteBase(Region.SYNC, pe) + line);
        }
    }

    /// So many closes had been refused before I had lines.
    void refused(long closes) {
        refused = closes;
    }

    /// I come to a close that I refuse.
    void objects() {
        objects = true;
    }

    /// The team lives on.
    ///
    /// @param isVerdict whether all members have refused the close, and so count it; else I take back what I have
    ///     told
    void resume(boolean isVerdict) {
        objects = false;
        if (isVerdict) {
            refused++;
            left = 0;
        } else {
            notifyAll(0);
        }
    }

    /// Tells everybody why I give up.
    void notifyPeers(AbortReason reason) {
        MemorySegment words = words(reason);
        for (int member = 0; member < memberAddresses.size(); member++) {
            int pe = memberAddresses.pe(member);
            if (member != memberAddresses.me() && !endpoint.room.hasTerminated(pe) && isKnown(member)) {
                notifyPeers(member, pe, reason.signal(), words);
            }
        }
    }

    private MemorySegment words(AbortReason reason) {
        MemorySegment words = endpoint.memory.allocate(CAUSE_BYTES, Long.BYTES);
        for (int word = 0; word < AbortReason.WORDS; word++) {
            words.setAtIndex(JAVA_LONG, word, reason.word(word));
        }
        return words;
    }

    private void notifyPeers(int member, int pe, long signal, MemorySegment words) {
        long line = line(member);
        long direct = endpoint.conduit.directBase(Region.SYNC, pe);
        if (direct != 0) {
            for (int word = 0; word < AbortReason.WORDS; word++) {
                AddressSpace.setLongOpaque(direct + line + (1L + word) * Long.BYTES, words.getAtIndex(JAVA_LONG, word));
            }
            AddressSpace.setLongRelease(direct + line, signal);
        } else if (mayStart(pe)) {
            long place = endpoint.conduit.remoteBase(Region.SYNC, pe) + line;
            VarHandle.releaseFence();
            endpoint.channel.putSignal(
                    words, 0, CAUSE_BYTES, pe, place + Long.BYTES, place, SignalOperation.SET, signal);
        }
    }

    private long line(int member) {
        return memberAddresses.offset(member) + channelGroup.begin + memberAddresses.me() * JobSegment.LINE;
    }

    /// Waits, the only place that does: who is told nothing waits for ever.
    ///
    /// @return false if the PE is over, and so waits for no peer
    private boolean mayStart(int pe) {
        try {
            endpoint.room.awaitStart(endpoint.channel, pe);
            return true;
        } catch (PeFailedException e) {
            return false;
        }
    }
}
