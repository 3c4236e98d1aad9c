// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;

/// Begins operations under the engine's lock. All channels of a PE share its connections, so that a quiet
/// completes the operations of other channels too.
final class TcpChannel implements Channel {
    private final TcpEngine engine;
    private final TcpRequests requests;

    /// Whether an operation has begun since the latest quiet towards all peers, and that quiet's ticket.
    private boolean isDirty;

    private long quiet;

    TcpChannel(TcpEngine engine) {
        this.engine = engine;
        this.requests = engine.requests;
    }

    @Override
    public boolean accepts(int peer) {
        engine.enter();
        try {
            if (!hasRoom(peer)) {
                engine.advance();
            }
            return hasRoom(peer);
        } finally {
            engine.lock.unlock();
        }
    }

    private boolean hasRoom(int pe) {
        TcpPeer peer = engine.known(pe);
        return peer == null
                || !peer.isOpen()
                || (!peer.send.isFull() && peer.awaitedCount() < MessageReceiver.MOST_AWAITED);
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        engine.enter();
        try {
            isDirty = true;
            return requests.put(source, sourceOffset, length, peer, remote);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        engine.enter();
        try {
            isDirty = true;
            return requests.get(peer, remote, target, targetOffset, length);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        engine.enter();
        try {
            isDirty = true;
            return requests.putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        engine.enter();
        try {
            isDirty = true;
            requests.putWord(word, bytes, peer, remote);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return atomic(AtomicOperation.FETCH, 0, bytes, peer, remote, result, resultOffset);
    }

    @Override
    public long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        engine.enter();
        try {
            isDirty = true;
            return requests.atomic(operation, operand, bytes, peer, remote, result, resultOffset);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        engine.enter();
        try {
            isDirty = true;
            requests.update(operation, operand, bytes, peer, remote);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        engine.enter();
        try {
            isDirty = true;
            return requests.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
        } finally {
            engine.lock.unlock();
        }
    }

    /// A connection keeps its messages in order.
    @Override
    public void fence() {}

    @Override
    public long quiet(int peer) {
        engine.enter();
        try {
            if (!isDirty) {
                return engine.tickets.isDone(quiet) ? 0 : quiet;
            }
            long ticket = requests.quiet(peer);
            if (peer == ALL_PEERS) {
                isDirty = false;
                quiet = ticket;
            }
            return ticket;
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public boolean isDone(long ticket) {
        if (engine.tickets.isDone(ticket)) {
            return true;
        }
        engine.progress();
        return engine.tickets.isDone(ticket);
    }

    @Override
    public void close() {} // the engine sends what is left
}
