// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.loopback.PeerRequest.Kind;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/// Makes requests of operations. All channels of a PE share one connection to each peer, so a fence has nothing to
/// do, and a quiet completes the operations of other channels too.
final class LoopbackChannel implements Channel {
    /// The largest put whose bytes are copied at once; longer ones refer to the caller's memory.
    private static final long MOST_COPIED = 4096;

    private final LoopbackConduit conduit;

    LoopbackChannel(LoopbackConduit conduit) {
        this.conduit = conduit;
    }

    @Override
    public boolean accepts(int peer) {
        synchronized (conduit) {
            TargetPeer target = conduit.target(peer);
            if (!target.accepts()) {
                conduit.progress();
            }
            return target.accepts();
        }
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        synchronized (conduit) {
            TargetPeer target = conduit.target(peer);
            PeerRequest request = PeerRequest.copy(Kind.PUT, remote, length);
            if (length <= MOST_COPIED) {
                byte[] copy = source.asSlice(sourceOffset, length).toArray(ValueLayout.JAVA_BYTE);
                target.put(request, MemorySegment.ofArray(copy), 0, 0);
                target.advance();
                return 0;
            }
            long ticket = conduit.ticket(1);
            target.put(request, source, sourceOffset, ticket);
            return conduit.isDone(ticket) ? 0 : ticket;
        }
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return fetch(PeerRequest.copy(Kind.GET, remote, length), peer, target, targetOffset, length);
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
        synchronized (conduit) {
            long ticket = put(source, sourceOffset, length, peer, remote);
            switch (update) {
                case SET -> putWord(value, Long.BYTES, peer, signal);
                case ADD -> update(AtomicOperation.ADD, value, Long.BYTES, peer, signal);
            }
            return ticket;
        }
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        send(PeerRequest.word(Kind.WORD, AtomicOperation.SWAP, word, bytes, remote), peer);
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        PeerRequest request = PeerRequest.word(Kind.GET_WORD, AtomicOperation.FETCH, 0, bytes, remote);
        return fetch(request, peer, result, resultOffset, bytes);
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
        return fetch(
                PeerRequest.word(Kind.ATOMIC, operation, operand, bytes, remote), peer, result, resultOffset, bytes);
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        send(PeerRequest.word(Kind.UPDATE, operation, operand, bytes, remote), peer);
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        PeerRequest request = new PeerRequest(Kind.SWAP, AtomicOperation.SWAP, bytes, remote, value, expected, 0);
        return fetch(request, peer, result, resultOffset, bytes);
    }

    private void send(PeerRequest request, int peer) {
        synchronized (conduit) {
            TargetPeer target = conduit.target(peer);
            target.send(request);
            target.advance();
        }
    }

    private long fetch(PeerRequest request, int peer, MemorySegment result, long offset, long length) {
        synchronized (conduit) {
            TargetPeer target = conduit.target(peer);
            long ticket = conduit.ticket(1);
            target.fetch(request, result, offset, length, request.kind() == Kind.GET ? 0 : request.bytes(), ticket);
            target.advance();
            return ticket;
        }
    }

    @Override
    public void fence() {} // a connection keeps the order

    @Override
    public long quiet(int peer) {
        return conduit.quiet(peer);
    }

    @Override
    public boolean isDone(long ticket) {
        return conduit.isDone(ticket);
    }

    @Override
    public void close() {} // the conduit sends what is left
}
