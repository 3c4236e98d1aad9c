// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A channel with its waits: until the channel accepts an operation, and until an operation is complete. All
/// operations of the runtime on a conduit go through this class.
///
/// Peers are world numbers; remote addresses are the conduit's. When an operation without "nbi" in its name
/// returns, the caller may reuse its source, or has the fetched data. Operations that fetch a word share one
/// buffer, so they are synchronized. Operations with "nbi" return the channel's ticket.
public final class BlockingChannel {
    private final WaitingRoom room;
    private final Channel channel;
    // The channel may still write to it after a wait has failed, so the garbage collector frees it.
    private final MemorySegment fetched = Arena.ofAuto().allocate(JAVA_LONG);

    public BlockingChannel(Conduit conduit, WaitingRoom room) {
        this.room = room;
        this.channel = conduit.openChannel();
    }

    void put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        await(start(peer).put(source, sourceOffset, length, peer, remote), peer);
    }

    long putNbi(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return start(peer).put(source, sourceOffset, length, peer, remote);
    }

    /// Copies bytes from a peer; they have arrived when the call returns.
    public void get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        await(start(peer).get(peer, remote, target, targetOffset, length), peer);
    }

    long getNbi(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return start(peer).get(peer, remote, target, targetOffset, length);
    }

    void putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        await(start(peer).putSignal(source, sourceOffset, length, peer, remote, signal, update, value), peer);
    }

    /// Copies bytes to a peer, and then updates a signal of that peer. The caller may reuse its bytes after a
    /// [#quiet], or when it has observed that the peer has them.
    public long putSignalNbi(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        return start(peer).putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
    }

    /// Stores the low `bytes` bytes of a word at a peer.
    public void putWord(long word, int bytes, int peer, long remote) {
        start(peer).putWord(word, bytes, peer, remote);
    }

    synchronized long getWord(int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).getWord(bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    /// Does an atomic operation; returns the old word.
    public synchronized long atomic(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).atomic(operation, operand, bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    long atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        return start(peer).atomic(operation, operand, bytes, peer, remote, result, resultOffset);
    }

    /// Does an atomic operation that returns nothing.
    void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        start(peer).update(operation, operand, bytes, peer, remote);
    }

    /// Replaces a word if it is the expected one; returns the old word.
    public synchronized long compareAndSwap(long expected, long value, int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).compareAndSwap(expected, value, bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    long compareAndExchangeNbi(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return start(peer).compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
    }

    /// Orders, for each peer, the operations before this call before those after it.
    public void fence() {
        channel.fence();
    }

    /// Waits until the operations that were started towards a peer, or [Channel#ALL_PEERS], are complete.
    public void quiet(int peer) {
        await(quietNbi(peer), peer);
    }

    /// Starts completing the operations towards a peer, or [Channel#ALL_PEERS]; returns the channel's ticket.
    long quietNbi(int peer) {
        return channel.quiet(peer);
    }

    /// Returns whether the operation of a ticket is complete; advances it, and does not wait.
    boolean isDone(long ticket) {
        return channel.isDone(ticket);
    }

    /// Closes the channel, whose operations are all complete.
    void close() {
        channel.close();
    }

    private Channel start(int peer) {
        room.awaitStart(channel, peer);
        return channel;
    }

    /// Waits until the operation of a ticket is complete.
    void await(long ticket, int peer) {
        if (ticket != 0) {
            room.awaitTicket(channel, ticket, peer);
        }
    }
}
