// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.AbortReason.Kind;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// What members tell each other when a group of virtual channels comes to its end: each has a line at each member, in
/// which no other one writes.
///
/// ```
///  byte 0      8                          120
///       │ signal │ words of the cause …     │ left │
/// ```
///
/// *Signal* and words come once: the member has given up, and why. *Left* comes when it closes the world
/// with nothing under way: one more than the runs that it has posted, for those that wait for it in a later one. A
/// member that closes the team alone says so by [coterie.internal.sync.TeamClosings].
///
/// A member whose lines are not known gets what I have to tell once they are: see [#catchUp]. If I have closed the team
/// before, it reads my own line: see [ChannelGroup#whyLeft]. A member that has no lines says so, or that it has left,
/// by its state.
final class AbortBoard {
    private static final long LEFT = 120;

    private final TeamEndpoint endpoint;
    private final MemberAddresses memberAddresses;
    private final ChannelGroup.Closes closes;
    private final long begin;
    private final long mine;

    /// What the others have, or shall have, as my *left*.
    private volatile long left;

    /// The words that tell why I give up, or null.
    private volatile @Nullable MemorySegment cause;

    /// Members that could not be told what the others were.
    private final BitSet missed = new BitSet();

    private volatile boolean isBehind;

    AbortBoard(ChannelGroup channelGroup) {
        this.endpoint = channelGroup.endpoint;
        this.memberAddresses = endpoint.memberAddresses;
        this.closes = channelGroup.closes;
        this.begin = channelGroup.begin;
        this.mine = endpoint.sync + memberAddresses.offset(memberAddresses.me()) + begin;
    }

    /// Whether a member has told that it gave up.
    boolean hasAborted(int member) {
        return AddressSpace.getLongAcquire(mine + member * JobSegment.LINE) != 0;
    }

    /// Why a member gave up, or null.
    @Nullable
    AbortReason reason(int member) {
        AbortReason told = reasonAt(mine + member * JobSegment.LINE);
        if (told != null) {
            return told;
        }
        long state = memberAddresses.offset(member);
        if (state == MemberAddresses.NO_MEMORY) {
            return new AbortReason(Kind.NO_MEMORY, memberAddresses.pe(member));
        }
        return state == MemberAddresses.REVOKED ? new AbortReason(Kind.REVOKED, memberAddresses.pe(member)) : null;
    }

    /// What a line at this address tells, or null.
    @Nullable
    static AbortReason reasonAt(long line) {
        return AddressSpace.getLongAcquire(line) == 0
                ? null
                : AbortReason.received(AddressSpace.getLongsOpaque(line, AbortReason.WORDS));
    }

    /// Whether a member has come to the end of the team without having posted a run.
    ///
    /// @param sequence of the run
    boolean hasLeft(int member, long sequence) {
        long left = AddressSpace.getLongAcquire(mine + member * JobSegment.LINE + LEFT);
        boolean hasLeft = left == 0 ? memberAddresses.offset(member) == MemberAddresses.LEFT : sequence >= left;
        return hasLeft || closes.misses(member, sequence);
    }

    /// Where the own line of a member is in its sync area, which has why it gave up; negative if it has no
    /// lines.
    long ownLine(int member) {
        long offset = memberAddresses.offset(member);
        return offset < 0 ? offset : offset + begin + member * JobSegment.LINE;
    }

    /// Tells all members that I come to the end of the world.
    ///
    /// @param posts runs that I have posted, which are over
    void leave(long posts) {
        left = posts + 1;
        tellAll();
    }

    /// Tells all members why I give up.
    void notifyPeers(AbortReason reason) {
        long[] words = reason.words();
        long own = mine + memberAddresses.me() * JobSegment.LINE;
        for (int word = 1; word < words.length; word++) {
            AddressSpace.setLongOpaque(own + (long) word * Long.BYTES, words[word]);
        }
        AddressSpace.setLongRelease(own, words[0]);
        cause = endpoint.memory.allocateFrom(JAVA_LONG, words);
        tellAll();
    }

    private void tellAll() {
        for (int member = 0; member < memberAddresses.size(); member++) {
            int pe = memberAddresses.pe(member);
            if (member != memberAddresses.me() && !endpoint.runtime.hasTerminated(pe) && isKnown(member)) {
                tell(member, pe);
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
                if (memberAddresses.offset(member) >= 0 && endpoint.accepts(pe)) {
                    missed.clear(member);
                    if (!endpoint.runtime.hasTerminated(pe)) {
                        tell(member, pe);
                    }
                }
            }
            isBehind = !missed.isEmpty();
        }
    }

    /// Tells a member why I give up, or, if I don't, my *left*.
    private void tell(int member, int pe) {
        long line = memberAddresses.offset(member) + begin + memberAddresses.me() * JobSegment.LINE;
        long direct = endpoint.conduit.directBase(Region.SYNC, pe);
        if (direct == 0 && !mayStart(pe)) {
            return;
        }
        MemorySegment words = cause;
        if (words != null) {
            endpoint.write(pe, line, words, 0, words.byteSize());
        } else if (direct != 0) {
            AddressSpace.setLongRelease(direct + line + LEFT, left);
        } else {
            endpoint.channel.putWord(left, Long.BYTES, pe, endpoint.conduit.remoteBase(Region.SYNC, pe) + line + LEFT);
        }
    }

    /// Waits, the only place that does: a member that is told nothing waits for ever.
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
