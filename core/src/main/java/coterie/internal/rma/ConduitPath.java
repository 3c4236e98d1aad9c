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

    ConduitPath(PeContext context, Conduit conduit) {
        this(context, new BlockingChannel(conduit, context.room));
    }

    private ConduitPath(PeContext context, BlockingChannel blockingChannel) {
        this.context = context;
        this.blockingChannel = blockingChannel;
    }

    /// Returns the path of another context, with its PE numbers, whose operations are those of this one's channel.
    ConduitPath of(PeContext other) {
        return new ConduitPath(other, blockingChannel);
    }

    void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.put(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    void putNbi(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.putNbi(source, sourceOffset, length, peer(pe), remote(pe, place));
    }

    void get(int pe, long place, MemorySegment target, long targetOffset, long length) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.get(peer(pe), remote(pe, place), target, targetOffset, length);
    }

    void getNbi(int pe, long place, MemorySegment target, long targetOffset, long length) {
        if (length == 0) {
            return; // before the first allocation there is no heap to address
        }
        blockingChannel.getNbi(peer(pe), remote(pe, place), target, targetOffset, length);
    }

    /// @param wait whether to wait until the source may be reused
    void putSignal(
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
        } else {
            blockingChannel.putSignalNbi(source, sourceOffset, length, peer, to, word, update, value);
        }
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

    void atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int pe,
            long place,
            MemorySegment result,
            long resultOffset) {
        blockingChannel.atomicNbi(operation, operand, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    long compareAndSwap(long expected, long value, int bytes, int pe, long place) {
        return blockingChannel.compareAndSwap(expected, value, bytes, peer(pe), remote(pe, place));
    }

    void compareAndSwapNbi(
            long expected, long value, int bytes, int pe, long place, MemorySegment result, long resultOffset) {
        blockingChannel.compareAndSwapNbi(expected, value, bytes, peer(pe), remote(pe, place), result, resultOffset);
    }

    void fence() {
        blockingChannel.fence();
    }

    /// @param pe of the team, or [Channel#ALL_PEERS]
    void quiet(int pe) {
        blockingChannel.quiet(pe == Channel.ALL_PEERS ? pe : peer(pe));
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
