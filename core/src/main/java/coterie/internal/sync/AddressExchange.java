// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.MemberAddresses;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Where the lines for requests of each member are: one word from each member to each other, which it writes when
/// it first needs requests. No member waits for another one's word, so there is no round, and no order among
/// members.
///
/// A member's word is in its slot on the others' boards (see [SyncLines]), after what the first half of the slot
/// has for [LivingAgreement]. It has the number of the world's first round, as words of an earlier world on the
/// same lines may be left, and a state as [MemberAddresses] has it.
///
/// Writing never waits either: [#flush] goes on with what a channel did not accept.
public final class AddressExchange {
    private static final long WORD = 24;

    /// Kinds of words, and the bits of their details.
    private static final int KIND_BITS = 2;

    private static final int NO_LINES = 1;
    private static final int LEFT = 2;
    private static final int OPEN = 3;
    private static final int DETAIL_BITS = 26;

    /// In the details of OPEN: the member's lines have those for the layers that plug in.
    private static final long LAYERS = 1L << (DETAIL_BITS - 1);
    private static final int STATE_BITS = KIND_BITS + DETAIL_BITS;

    private final Membership membership;
    private final SyncLines lines;
    private final Conduit conduit;
    private final WaitingRoom room;
    private final long world;
    private long layers;

    /// Opened when it is first needed.
    private @Nullable Channel channel;

    /// The word for all members, and which of them it has not been sent to.
    private long word;

    private final BitSet unsent = new BitSet();

    AddressExchange(Membership membership, SyncLines lines, Conduit conduit, WaitingRoom room, long firstSequence) {
        this.membership = membership;
        this.lines = lines;
        this.conduit = conduit;
        this.room = room;
        this.world = firstSequence << STATE_BITS;
    }

    /// Has my word say that my lines have those for the layers that plug in; before it is published.
    public void withLayers() {
        layers = LAYERS;
    }

    /// Returns whether a member has said that its lines have those for the layers that plug in.
    public boolean hasLayers(int member) {
        return (detail(read(member)) & LAYERS) != 0;
    }

    private static long detail(long word) {
        return (word >>> KIND_BITS) & ((1L << DETAIL_BITS) - 1);
    }

    /// Returns the word of a member, or 0 if it has not come.
    private long read(int member) {
        long place = place(membership.me(), member);
        long found = AddressSpace.getLongAcquire(conduit.localBase(Region.SYNC) + place);
        if (found == 0 || found >>> STATE_BITS != world >>> STATE_BITS) {
            return 0;
        }
        AccessObserver observer = room.observer();
        if (observer != null) {
            observer.observed(Region.SYNC, place, Long.BYTES);
        }
        return found;
    }

    /// Returns the state of a member; see [MemberAddresses].
    public long state(int member) {
        long found = read(member);
        long detail = detail(found);
        return switch ((int) found & ((1 << KIND_BITS) - 1)) {
            case OPEN -> (detail & (LAYERS - 1)) * JobSegment.LINE;
            case LEFT -> MemberAddresses.left(detail);
            case NO_LINES -> detail == 0 ? MemberAddresses.NO_MEMORY : MemberAddresses.REVOKED;
            default -> MemberAddresses.UNKNOWN;
        };
    }

    /// Returns the word for a state.
    private long word(long state) {
        long stated;
        if (state >= 0) {
            stated = (state / JobSegment.LINE | layers) << KIND_BITS | OPEN;
        } else if (state == MemberAddresses.NO_MEMORY) {
            stated = NO_LINES;
        } else if (state == MemberAddresses.REVOKED) {
            stated = 1 << KIND_BITS | NO_LINES;
        } else if (state == MemberAddresses.UNKNOWN) {
            stated = 0;
        } else {
            stated = ((MemberAddresses.closes(state) << KIND_BITS) & ((1L << STATE_BITS) - 1)) | LEFT;
        }
        return world | stated;
    }

    /// Writes my state to all members, now or in [#flush].
    public synchronized void publish(long state) {
        word = word(state);
        unsent.set(0, membership.size());
        unsent.clear(membership.me());
        fence();
        flush();
    }

    /// Writes my state to one member alone, if the channel accepts that now; returns whether it did.
    public synchronized boolean publish(long state, int member) {
        fence();
        return send(word(state), member);
    }

    private void fence() {
        if (channel != null) {
            channel.fence(); // my words to a member arrive in their order
        }
    }

    /// Writes what has not been written yet, as far as the channel accepts it.
    public synchronized void flush() {
        for (int member = unsent.nextSetBit(0); member >= 0; member = unsent.nextSetBit(member + 1)) {
            if (send(word, member)) {
                unsent.clear(member);
            }
        }
    }

    private boolean send(long what, int member) {
        int pe = membership.pe(member);
        if (room.hasFailed(pe)) {
            return true; // a PE that has closed an earlier world is still to join this one
        }
        long direct = conduit.directBase(Region.SYNC, pe);
        if (direct != 0) {
            AddressSpace.setLongRelease(direct + place(member, membership.me()), what);
        } else {
            Channel open = open();
            if (!open.accepts(pe)) {
                return false;
            }
            open.putWord(what, Long.BYTES, pe, conduit.remoteBase(Region.SYNC, pe) + place(member, membership.me()));
        }
        room.counters().messages++;
        return true;
    }

    private Channel open() {
        Channel open = channel;
        if (open == null) {
            open = conduit.openChannel();
            channel = open;
        }
        return open;
    }

    /// Where a writer's word is in a member's sync area.
    private long place(int member, int writer) {
        return lines.board(member, membership.size(), writer) + WORD;
    }

    /// Completes what has been written. Waits.
    public void drain() {
        Channel open;
        synchronized (this) {
            open = channel;
        }
        if (open != null) {
            room.awaitTicket(open, open.quiet(Channel.ALL_PEERS), Channel.ALL_PEERS);
        }
    }

    /// Completes what has been written, and writes nothing of the rest. Waits.
    public void stop() {
        synchronized (this) {
            unsent.clear();
        }
        drain();
    }

    /// Stops, and ends the exchange.
    public void close() {
        stop();
        Channel open;
        synchronized (this) {
            open = channel;
            channel = null;
        }
        if (open != null) {
            open.close();
        }
    }
}
