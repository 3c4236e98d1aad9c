// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.sim.schedule.TimedEvent;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An operation on its way to its target and, if it fetches something, back.
final class Message extends TimedEvent {
    /// The kinds of operations.
    enum Kind {
        PUT(false),
        WORD(false),
        UPDATE(false),
        ATOMIC(true),
        SWAP(true),
        GET(true),
        GET_WORD(true);

        /// Whether the operation returns a result.
        final boolean fetches;

        Kind(boolean fetches) {
            this.fetches = fetches;
        }

        /// Returns whether fences order the operation.
        boolean isOrdered() {
            return this != GET && this != GET_WORD;
        }
    }

    final Kind kind;
    final SimChannel channel;
    final InFlightQueue queue;
    final Region region;
    final long offset;
    final long length;

    /// Number in its queue's prefix, or 0.
    long number;

    /// Operations of the queue up to this number take effect before this one.
    long after;

    /// Number among the PE's messages, for perturbations.
    long sent;

    /// The bytes to put: copied from the program's memory when the message takes effect, unless the program has
    /// asked earlier whether it may reuse them.
    MemorySegment source = MemorySegment.NULL;

    long sourceOffset;

    AtomicOperation operation = AtomicOperation.FETCH;
    long operand;
    long expected;

    @Nullable
    SignalOperation update;

    Region signalRegion = Region.HEAP;
    long signalOffset;
    long signalValue;

    /// Gets the result.
    MemorySegment result = MemorySegment.NULL;

    long resultOffset;
    long word;

    @Nullable
    MemorySegment fetched;

    long ticket;
    int pieces = 1;

    /// When its last byte leaves.
    long departs;

    /// Whether the source was copied, or the result delivered.
    boolean taken;

    boolean applied;
    boolean returns;
    boolean returned;

    @Nullable
    Object mark;

    @Nullable
    Object signalMark;

    Message(Kind kind, SimChannel channel, InFlightQueue queue, Region region, long offset, long length) {
        this.kind = kind;
        this.channel = channel;
        this.queue = queue;
        this.region = region;
        this.offset = offset;
        this.length = length;
    }

    @Override
    protected void happen() {
        if (returns) {
            channel.returned(this);
        } else {
            queue.arrive(this, this, 0, length);
        }
    }

    @Override
    protected String label() {
        return (returns ? "r" : "m") + channel.pe + "." + sent;
    }

    @Override
    protected boolean concerns(int pe) {
        return pe == channel.pe || (pe == queue.peer && !returns);
    }

    @Override
    protected boolean commutes(TimedEvent other) {
        if (!(other instanceof Message message)) {
            return false; // the other one is a piece
        }
        return returns
                || message.returns
                || queue.peer != message.queue.peer
                || !(conflicts(message) || message.conflicts(this));
    }

    /// Returns whether this operation writes bytes that the other one reads or writes.
    private boolean conflicts(Message other) {
        boolean writes = kind != Kind.GET && kind != Kind.GET_WORD;
        return (writes && other.touches(region, offset, length))
                || (update != null && other.touches(signalRegion, signalOffset, Long.BYTES));
    }

    private boolean touches(Region where, long first, long bytes) {
        return (where == region && first < offset + length && offset < first + bytes)
                || (update != null
                        && where == signalRegion
                        && first < signalOffset + Long.BYTES
                        && signalOffset < first + bytes);
    }

    /// Copies the bytes to put from the program's memory.
    void fetch() {
        if (!taken) {
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) length]);
            MemorySegment.copy(source, sourceOffset, copy, 0, length);
            source = copy;
            sourceOffset = 0;
            taken = true;
        }
    }

    /// A piece of a long put.
    static final class Piece extends TimedEvent {
        private final Message whole;
        private final long from;
        private final long length;

        Piece(Message whole, long from, long length) {
            this.whole = whole;
            this.from = from;
            this.length = length;
        }

        @Override
        protected void happen() {
            whole.queue.arrive(this, whole, from, length);
        }

        @Override
        protected String label() {
            return whole.label() + "+" + from;
        }

        @Override
        protected boolean concerns(int pe) {
            return whole.concerns(pe);
        }

        @Override
        protected boolean commutes(TimedEvent other) {
            return false;
        }
    }
}
