// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import coterie.spi.Conduit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The way to PEs whose memory can't be loaded and stored: operations of the conduit, and waits for their tickets.
///
/// Places are offsets in the heap of a PE of the context's team. Fetched words come to a place of the context's
/// own, so one thread at a time is let in.
final class Distant {
    private final PeContext context;
    private final Conduit conduit;
    private final MemorySegment fetched = Arena.ofAuto().allocate(JAVA_LONG);

    Distant(PeContext context, Conduit conduit) {
        this.context = context;
        this.conduit = conduit;
    }

    void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        await(conduit.put(source, sourceOffset, length, peer(pe), remote(pe, place)), pe);
    }

    void putNbi(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        conduit.put(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    void get(int pe, long place, MemorySegment target, long targetOffset, long length) {
        await(conduit.get(peer(pe), remote(pe, place), target, targetOffset, length), pe);
    }

    void getNbi(int pe, long place, MemorySegment target, long targetOffset, long length) {
        conduit.get(peer(pe), remote(pe, place), target, targetOffset, length);
    }

    /// @param wait whether to wait until the source may be reused
    void putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int pe,
            long place,
            long signal,
            SignalUpdate update,
            long value,
            boolean wait) {
        long ticket = conduit.putSignal(
                source, sourceOffset, length, peer(pe), remote(pe, place), remote(pe, signal), update, value);
        if (wait) {
            await(ticket, pe);
        }
    }

    void putWord(long word, int bytes, int pe, long place) {
        conduit.putWord(word, bytes, peer(pe), remote(pe, place));
    }

    synchronized long getWord(int bytes, int pe, long place) {
        fetched.set(JAVA_LONG, 0, 0);
        await(conduit.getWord(bytes, peer(pe), remote(pe, place), fetched, 0), pe);
        return fetched.get(JAVA_LONG, 0);
    }

    synchronized long atomic(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        fetched.set(JAVA_LONG, 0, 0);
        await(conduit.atomic(operation, operand, bytes, peer(pe), remote(pe, place), fetched, 0), pe);
        return fetched.get(JAVA_LONG, 0);
    }

    /// An atomic whose old word nobody wants.
    void update(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        conduit.update(operation, operand, bytes, peer(pe), remote(pe, place));
    }

    void atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int pe,
            long place,
            MemorySegment result,
            long resultOffset) {
        conduit.atomic(operation, operand, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    long compareAndSwap(long expected, long value, int bytes, int pe, long place) {
        return compareAndSwapAt(expected, value, bytes, peer(pe), remote(pe, place));
    }

    /// @param peer number in the world
    /// @param remote as the conduit names it
    synchronized long compareAndSwapAt(long expected, long value, int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        context.room.awaitTicket(
                conduit, conduit.compareAndSwap(expected, value, bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    void compareAndSwapNbi(
            long expected, long value, int bytes, int pe, long place, MemorySegment result, long resultOffset) {
        conduit.compareAndSwap(expected, value, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    void fence() {
        conduit.fence();
    }

    /// @param pe of the team, or [Conduit#ALL_PEERS]
    void quiet(int pe) {
        int peer = pe == Conduit.ALL_PEERS ? pe : peer(pe);
        context.room.awaitTicket(conduit, conduit.quiet(peer), peer);
    }

    private void await(long ticket, int pe) {
        if (ticket != 0) {
            context.room.awaitTicket(conduit, ticket, peer(pe));
        }
    }

    private int peer(int pe) {
        return context.peers.world(pe);
    }

    private long remote(int pe, long place) {
        return context.peers.remote[pe] + place;
    }
}
