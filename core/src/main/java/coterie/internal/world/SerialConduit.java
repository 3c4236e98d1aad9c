// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import coterie.spi.Conduit;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A conduit that several threads may call at once, over one that only one may: they take turns, for no longer than
/// an operation takes to start.
final class SerialConduit implements Conduit {
    private final Conduit conduit;

    SerialConduit(Conduit conduit) {
        this.conduit = conduit;
    }

    @Override
    public String name() {
        return conduit.name();
    }

    @Override
    public synchronized long[] createHeap(long byteSize) {
        return conduit.createHeap(byteSize);
    }

    @Override
    public synchronized void attachHeap(int peer, long[] descriptor) {
        conduit.attachHeap(peer, descriptor);
    }

    @Override
    public synchronized Optional<String> reserve(Region region, long offset, long length) {
        return conduit.reserve(region, offset, length);
    }

    @Override
    public synchronized long syncBytes() {
        return conduit.syncBytes();
    }

    @Override
    public synchronized long directBase(Region region, int peer) {
        return conduit.directBase(region, peer);
    }

    @Override
    public synchronized long remoteBase(Region region, int peer) {
        return conduit.remoteBase(region, peer);
    }

    @Override
    public synchronized long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return conduit.put(source, sourceOffset, length, peer, remote);
    }

    @Override
    public synchronized long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return conduit.get(peer, remote, target, targetOffset, length);
    }

    @Override
    public synchronized void putWord(long word, int bytes, int peer, long remote) {
        conduit.putWord(word, bytes, peer, remote);
    }

    @Override
    public synchronized long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalUpdate update,
            long value) {
        return conduit.putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
    }

    @Override
    public synchronized long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return conduit.getWord(bytes, peer, remote, result, resultOffset);
    }

    @Override
    public synchronized long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        return conduit.atomic(operation, operand, bytes, peer, remote, result, resultOffset);
    }

    @Override
    public synchronized void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        conduit.update(operation, operand, bytes, peer, remote);
    }

    @Override
    public synchronized long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return conduit.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
    }

    @Override
    public synchronized void fence() {
        conduit.fence();
    }

    @Override
    public synchronized long quiet(int peer) {
        return conduit.quiet(peer);
    }

    @Override
    public synchronized boolean isDone(long ticket) {
        return conduit.isDone(ticket);
    }

    @Override
    public synchronized void close() {
        conduit.close();
    }
}
