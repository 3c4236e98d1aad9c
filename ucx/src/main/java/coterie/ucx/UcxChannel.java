// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;

/// Begins operations under the worker's lock. All channels of a PE share one worker, so that a quiet
/// completes the operations of other channels too.
final class UcxChannel implements Channel {
    private final UcxWorker worker;
    private final UcxTransfers transfers;

    /// Whether an operation has begun since the latest quiet towards all peers, and that quiet's ticket.
    private boolean isDirty;

    private long quiet;

    UcxChannel(UcxWorker worker) {
        this.worker = worker;
        this.transfers = worker.transfers;
    }

    @Override
    public boolean accepts(int peer) {
        worker.lock.lock();
        try {
            if (!worker.pool.hasRoom()) {
                worker.advance();
            }
            return worker.pool.hasRoom();
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        worker.lock.lock();
        try {
            isDirty = true;
            return transfers.put(source, sourceOffset, length, peer, remote);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        worker.lock.lock();
        try {
            isDirty = true;
            return transfers.get(peer, remote, target, targetOffset, length);
        } finally {
            worker.lock.unlock();
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
        worker.lock.lock();
        try {
            isDirty = true;
            return transfers.putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        update(AtomicOperation.SWAP, word, bytes, peer, remote);
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
        worker.lock.lock();
        try {
            isDirty = true;
            return transfers.atomic(operation, operand, bytes, peer, remote, result, resultOffset);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        worker.lock.lock();
        try {
            isDirty = true;
            transfers.atomic(operation, operand, bytes, peer, remote, null, 0);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        worker.lock.lock();
        try {
            isDirty = true;
            return transfers.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public void fence() {
        throw new AssertionError("the runtime orders the operations of this conduit, which is not ORDERED");
    }

    @Override
    public boolean orders(int peer, long bytes) {
        worker.lock.lock();
        try {
            return transfers.orders(peer, bytes);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public long quiet(int peer) {
        worker.lock.lock();
        try {
            if (!isDirty) {
                return worker.pool.isDone(quiet) ? 0 : quiet;
            }
            long ticket = transfers.quiets.quiet(peer);
            if (peer == ALL_PEERS) {
                isDirty = false;
                quiet = ticket;
            }
            return ticket;
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public boolean isDone(long ticket) {
        if (worker.pool.isDone(ticket)) {
            return true;
        }
        worker.progress();
        return worker.pool.isDone(ticket);
    }

    @Override
    public void close() {} // the worker sends what is left
}
