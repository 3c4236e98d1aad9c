// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/// A channel that completes everything later, at any query: any of what is under way may be next, and the source
/// of a put is read only then. It takes few operations at once.
final class LateChannel implements Channel {
    private static final int MOST = 5;

    private final Channel below;
    private final Random random;
    private final List<Late> underWay = new ArrayList<>();
    private final Set<Long> left = new HashSet<>();
    private long tickets;

    private record Late(long ticket, int peer, Runnable operation) {}

    LateChannel(Channel below, long seed) {
        this.below = below;
        this.random = new Random(seed);
    }

    private long later(int peer, Runnable operation) {
        if (underWay.size() >= MOST) {
            throw new AssertionError("not asked whether it takes an operation");
        }
        underWay.add(new Late(++tickets, peer, operation));
        left.add(tickets);
        return tickets;
    }

    /// May complete something of what is under way.
    void advance() {
        if (!underWay.isEmpty() && random.nextInt(4) == 0) {
            Late late = underWay.remove(random.nextInt(underWay.size()));
            late.operation.run();
            left.remove(late.ticket);
        }
    }

    @Override
    public boolean accepts(int peer) {
        advance();
        return underWay.size() < MOST;
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return later(peer, () -> below.put(source, sourceOffset, length, peer, remote));
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return later(peer, () -> below.get(peer, remote, target, targetOffset, length));
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
        return later(peer, () -> below.putSignal(source, sourceOffset, length, peer, remote, signal, update, value));
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        later(peer, () -> below.putWord(word, bytes, peer, remote));
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return later(peer, () -> below.getWord(bytes, peer, remote, result, resultOffset));
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
        return later(peer, () -> below.atomic(operation, operand, bytes, peer, remote, result, resultOffset));
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        later(peer, () -> below.update(operation, operand, bytes, peer, remote));
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return later(peer, () -> below.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset));
    }

    @Override
    public void fence() {
        throw new AssertionError("no caller orders here");
    }

    /// A negative ticket stands for all tickets up to its amount, towards any peer.
    @Override
    public long quiet(int peer) {
        return underWay.isEmpty() ? 0 : -tickets;
    }

    @Override
    public boolean isDone(long ticket) {
        advance();
        return ticket < 0 ? left.stream().noneMatch(each -> each <= -ticket) : !left.contains(ticket);
    }

    @Override
    public void close() {
        while (!underWay.isEmpty()) {
            advance();
        }
    }
}
