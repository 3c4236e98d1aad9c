// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;

/// Makes a channel thread-safe: its methods are synchronized. A thread holds the monitor only while an operation
/// starts, not until it completes.
final class SerialChannel implements Channel {
    private final Channel channel;

    SerialChannel(Channel channel) {
        this.channel = channel;
    }

    @Override
    public synchronized boolean accepts(int peer) {
        return channel.accepts(peer);
    }

    @Override
    public synchronized long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return channel.put(source, sourceOffset, length, peer, remote);
    }

    @Override
    public synchronized long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return channel.get(peer, remote, target, targetOffset, length);
    }

    @Override
    public synchronized void putWord(long word, int bytes, int peer, long remote) {
        channel.putWord(word, bytes, peer, remote);
    }

    @Override
    public synchronized long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        return channel.putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
    }

    @Override
    public synchronized long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return channel.getWord(bytes, peer, remote, result, resultOffset);
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
        return channel.atomic(operation, operand, bytes, peer, remote, result, resultOffset);
    }

    @Override
    public synchronized void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        channel.update(operation, operand, bytes, peer, remote);
    }

    @Override
    public synchronized long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return channel.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
    }

    @Override
    public synchronized void fence() {
        channel.fence();
    }

    @Override
    public synchronized boolean orders(int peer, long bytes) {
        return channel.orders(peer, bytes);
    }

    @Override
    public synchronized long quiet(int peer) {
        return channel.quiet(peer);
    }

    @Override
    public synchronized boolean isDone(long ticket) {
        return channel.isDone(ticket);
    }

    @Override
    public synchronized void close() {
        channel.close();
    }
}
