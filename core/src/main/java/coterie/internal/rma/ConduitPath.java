// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.foreign.MemorySegment;

/// The operations of a context on PEs whose memory this PE can't load and store. PEs are numbers in the context's
/// team; places are offsets in the heap of a PE.
final class ConduitPath {
    private final PeContext context;
    private final BlockingChannel blockingChannel;
    private final TicketWindow tickets;

    /// @param contextNumber of the context, among those of the world
    ConduitPath(PeContext context, Conduit conduit, int contextNumber) {
        this.context = context;
        this.blockingChannel = new BlockingChannel(conduit, context.room);
        this.tickets = new TicketWindow(blockingChannel, contextNumber);
    }

    private ConduitPath(PeContext context, ConduitPath of) {
        this.context = context;
        this.blockingChannel = of.blockingChannel;
        this.tickets = of.tickets;
    }

    /// Returns the path of another context, with its PE numbers, whose operations are those of this one's channel.
    ConduitPath of(PeContext other) {
        return new ConduitPath(other, this);
    }

    void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.put(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    long putNbi(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        if (length == 0) {
            return 0; // before the first allocation there is no heap to address
        }
        int peer = peer(pe);
        return tickets.record(blockingChannel.putNbi(source, sourceOffset, length, peer, remote(pe, place)), peer);
    }

    void get(int pe, long place, MemorySegment target, long targetOffset, long length) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.get(peer(pe), remote(pe, place), target, targetOffset, length);
    }

    long getNbi(int pe, long place, MemorySegment target, long targetOffset, long length) {
        if (length == 0) {
            return 0; // before the first allocation there is no heap to address
        }
        int peer = peer(pe);
        return tickets.record(blockingChannel.getNbi(peer, remote(pe, place), target, targetOffset, length), peer);
    }

    /// Puts, and then updates a signal; returns the context's ticket, or 0.
    ///
    /// @param wait whether to wait until the source may be reused
    long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int pe,
            long place,
            long signal,
            SignalOperation update,
            long value,
            boolean wait) {
        int peer = peer(pe);
        long to = remote(pe, place);
        long word = remote(pe, signal);
        if (wait) {
            blockingChannel.putSignal(source, sourceOffset, length, peer, to, word, update, value);
            return 0;
        }
        return tickets.record(
                blockingChannel.putSignalNbi(source, sourceOffset, length, peer, to, word, update, value), peer);
    }

    void putWord(long word, int bytes, int pe, long place) {
        blockingChannel.putWord(word, bytes, peer(pe), remote(pe, place));
    }

    long getWord(int bytes, int pe, long place) {
        return blockingChannel.getWord(bytes, peer(pe), remote(pe, place));
    }

    long atomic(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        return blockingChannel.atomic(operation, operand, bytes, peer(pe), remote(pe, place));
    }

    void update(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        blockingChannel.update(operation, operand, bytes, peer(pe), remote(pe, place));
    }

    long atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int pe,
            long place,
            MemorySegment result,
            long resultOffset) {
        int peer = peer(pe);
        return tickets.record(
                blockingChannel.atomicNbi(operation, operand, bytes, peer, remote(pe, place), result, resultOffset),
                peer);
    }

    long compareAndSwap(long expected, long value, int bytes, int pe, long place) {
        return blockingChannel.compareAndSwap(expected, value, bytes, peer(pe), remote(pe, place));
    }

    long compareAndExchangeNbi(
            long expected, long value, int bytes, int pe, long place, MemorySegment result, long resultOffset) {
        int peer = peer(pe);
        return tickets.record(
                blockingChannel.compareAndExchangeNbi(
                        expected, value, bytes, peer, remote(pe, place), result, resultOffset),
                peer);
    }

    void fence() {
        blockingChannel.fence();
    }

    /// @param pe of the team, or [Channel#ALL_PEERS]
    void quiet(int pe) {
        if (pe == Channel.ALL_PEERS) {
            long end = tickets.end();
            blockingChannel.quiet(pe);
            tickets.completeBefore(end);
        } else {
            blockingChannel.quiet(peer(pe));
        }
    }

    /// Starts a quiet; returns the context's ticket, or 0 if the quiet is complete.
    long quietNbi(int pe) {
        int peer = pe == Channel.ALL_PEERS ? pe : peer(pe);
        return tickets.recordQuiet(blockingChannel.quietNbi(peer), peer);
    }

    /// Returns whether the context has returned a ticket.
    boolean has(long ticket) {
        return tickets.has(ticket);
    }

    /// Advances the conduit without waiting, and returns whether the operation of a ticket is complete.
    ///
    /// @throws coterie.PeFailedException if the PE of the operation has ended before
    boolean isComplete(long ticket) {
        long below = tickets.below(ticket);
        if (below != 0) {
            context.room.polled();
            context.room.progress();
        }
        if (below != 0 && !blockingChannel.isDone(below)) {
            int peer = tickets.peer(ticket);
            if (peer < 0 || !context.runtime.hasTerminated(peer)) {
                return false;
            }
            blockingChannel.await(below, peer); // throws instead of waiting, since the peer has ended
        }
        tickets.complete(ticket);
        return true;
    }

    /// Waits until the operation of a ticket is complete.
    void complete(long ticket) {
        long below = tickets.below(ticket);
        if (below != 0) {
            blockingChannel.await(below, tickets.peer(ticket));
            tickets.complete(ticket);
        }
    }

    void close() {
        blockingChannel.close();
    }

    private int peer(int pe) {
        return context.peerBases.world(pe);
    }

    private long remote(int pe, long place) {
        return context.peerBases.remote(pe) + place;
    }
}
