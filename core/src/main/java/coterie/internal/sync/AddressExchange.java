// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Channel;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Where the lines for requests of each member are: one word from each member to each other, which it writes when
/// it first needs requests. No member waits for another one's word, so there is no round, and no order among
/// members.
///
/// A member's word is in its slot on the others' boards (see [SyncLines]), after what the first half of the slot
/// has for [LivingAgreement]. It has the number of the world's first round, as words of an earlier world on the
/// same lines may be left, and a state as `MemberAddresses` has it.
///
/// Writing never waits either: [#flush] goes on with what a channel did not accept.
public final class AddressExchange {
    private static final long WORD = 24;

    /// Bits of a word that have the complement of the state, so that a word that has not come means an unknown one. A
    /// place is counted in lines.
    private static final int STATE_BITS = 27;

    /// In a word with a place: the member's lines have those for the layers that plug in.
    private static final long LAYERS = 1L << STATE_BITS;

    private static final int WORLD_SHIFT = STATE_BITS + 1;

    private final Membership membership;
    private final TeamLines lines;
    private final long world;
    private long layers;

    /// Opened when it is first needed.
    private @Nullable Channel channel;

    /// The word for all members, and which of them it has not been sent to.
    private long word;

    private final BitSet unsent = new BitSet();

    AddressExchange(TeamLines lines) {
        this.membership = lines.membership();
        this.lines = lines;
        this.world = lines.firstSequence() << WORLD_SHIFT;
    }

    /// Has my word say that my lines have those for the layers that plug in; before it is published.
    public void withLayers() {
        layers = LAYERS;
    }

    /// Returns whether a member has said that its lines have those for the layers that plug in.
    public boolean hasLayers(int member) {
        return (read(member) & LAYERS) != 0;
    }

    /// Returns the word of a member, or 0 if it has not come.
    private long read(int member) {
        long place = place(membership.me(), member);
        long found = AddressSpace.getLongAcquire(lines.localBase() + place);
        if ((found ^ world) >>> WORLD_SHIFT != 0) {
            return 0;
        }
        lines.observed(place);
        return found;
    }

    /// Returns the state of a member; see `MemberAddresses`.
    public long state(int member) {
        long state = ~(read(member) << (Long.SIZE - STATE_BITS) >> (Long.SIZE - STATE_BITS));
        return state >= 0 ? state * JobSegment.LINE : state;
    }

    /// Returns the word for a state.
    private long word(long state) {
        long bits = ~(state >= 0 ? state / JobSegment.LINE : state) & (LAYERS - 1);
        return world | (state >= 0 ? layers : 0) | bits;
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
        if (lines.runtime().hasFailed(pe)) {
            return true; // a PE that has closed an earlier world is still to join this one
        }
        long direct = lines.directBase(member);
        if (direct != 0) {
            AddressSpace.setLongRelease(direct + place(member, membership.me()), what);
        } else {
            Channel open = channel;
            if (open == null) {
                open = lines.conduit().openChannel();
                channel = open;
            }
            if (!open.accepts(pe)) {
                return false;
            }
            open.putWord(what, Long.BYTES, pe, lines.remoteBase(member) + place(member, membership.me()));
        }
        lines.runtime().counters().messages++;
        return true;
    }

    /// Where a writer's word is in a member's sync area.
    private long place(int member, int writer) {
        return lines.board(member, writer) + WORD;
    }

    /// Completes what has been written. Waits.
    public void drain() {
        Channel open;
        synchronized (this) {
            open = channel;
        }
        if (open != null) {
            lines.runtime().room().awaitTicket(open, open.quiet(Channel.ALL_PEERS), Channel.ALL_PEERS);
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
