// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.foreign.MemorySegment;

/// A context's way to PEs whose memory can't be loaded and stored: places are offsets in the heap of a PE of its
/// team.
final class Distant {
    private final PeContext context;
    private final Wire wire;

    Distant(PeContext context, Conduit conduit) {
        this.context = context;
        this.wire = new Wire(conduit, context.room);
    }

    void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        wire.put(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    void putNbi(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        wire.putNbi(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    void get(int pe, long place, MemorySegment target, long targetOffset, long length) {
        wire.get(peer(pe), remote(pe, place), target, targetOffset, length);
    }

    void getNbi(int pe, long place, MemorySegment target, long targetOffset, long length) {
        wire.getNbi(peer(pe), remote(pe, place), target, targetOffset, length);
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
        int peer = peer(pe);
        long to = remote(pe, place);
        long word = remote(pe, signal);
        if (wait) {
            wire.putSignal(source, sourceOffset, length, peer, to, word, update, value);
        } else {
            wire.putSignalNbi(source, sourceOffset, length, peer, to, word, update, value);
        }
    }

    void putWord(long word, int bytes, int pe, long place) {
        wire.putWord(word, bytes, peer(pe), remote(pe, place));
    }

    long getWord(int bytes, int pe, long place) {
        return wire.getWord(bytes, peer(pe), remote(pe, place));
    }

    long atomic(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        return wire.atomic(operation, operand, bytes, peer(pe), remote(pe, place));
    }

    void update(AtomicOperation operation, long operand, int bytes, int pe, long place) {
        wire.update(operation, operand, bytes, peer(pe), remote(pe, place));
    }

    void atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int pe,
            long place,
            MemorySegment result,
            long resultOffset) {
        wire.atomicNbi(operation, operand, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    long compareAndSwap(long expected, long value, int bytes, int pe, long place) {
        return wire.compareAndSwap(expected, value, bytes, peer(pe), remote(pe, place));
    }

    void compareAndSwapNbi(
            long expected, long value, int bytes, int pe, long place, MemorySegment result, long resultOffset) {
        wire.compareAndSwapNbi(expected, value, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    void fence() {
        wire.fence();
    }

    /// @param pe of the team, or [Channel#ALL_PEERS]
    void quiet(int pe) {
        wire.quiet(pe == Channel.ALL_PEERS ? pe : peer(pe));
    }

    void close() {
        wire.close();
    }

    private int peer(int pe) {
        return context.peers.world(pe);
    }

    private long remote(int pe, long place) {
        return context.peers.remote(pe) + place;
    }
}
