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

/// A channel, and the waits that go with it: that it takes an operation, and that one is done. The only way to a
/// conduit's operations.
///
/// Peers are numbers in the world, and places are as the conduit names them. Operations without "nbi" in their
/// name have taken what they send, or have what they fetch, when they return. Fetched words come to a place of the
/// wire's own, so one thread at a time is let in.
public final class BlockingChannel {
    private final WaitingRoom room;
    private final Channel channel;
    // A channel may still write to it when a wait for it has failed, so it lives as long as anybody knows it.
    private final MemorySegment fetched = Arena.ofAuto().allocate(JAVA_LONG);

    public BlockingChannel(Conduit conduit, WaitingRoom room) {
        this.room = room;
        this.channel = conduit.openChannel();
    }

    void put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        await(start(peer).put(source, sourceOffset, length, peer, remote), peer);
    }

    void putNbi(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        start(peer).put(source, sourceOffset, length, peer, remote);
    }

    /// Copies bytes of a peer.
    public void get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        await(start(peer).get(peer, remote, target, targetOffset, length), peer);
    }

    void getNbi(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        start(peer).get(peer, remote, target, targetOffset, length);
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

    /// Copies bytes of mine, and then updates a signal; the bytes are mine again after a [#quiet], or when the
    /// peer has been seen to have them.
    public void putSignalNbi(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        start(peer).putSignal(source, sourceOffset, length, peer, remote, signal, update, value);
    }

    /// Stores the low `bytes` bytes of a word.
    public void putWord(long word, int bytes, int peer, long remote) {
        start(peer).putWord(word, bytes, peer, remote);
    }

    synchronized long getWord(int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).getWord(bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    /// Does an atomic operation; returns the word before.
    public synchronized long atomic(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).atomic(operation, operand, bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    void atomicNbi(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        start(peer).atomic(operation, operand, bytes, peer, remote, result, resultOffset);
    }

    /// An atomic whose old word nobody wants.
    void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        start(peer).update(operation, operand, bytes, peer, remote);
    }

    /// Replaces a word if it is the expected one; returns the word before.
    public synchronized long compareAndSwap(long expected, long value, int bytes, int peer, long remote) {
        fetched.set(JAVA_LONG, 0, 0);
        await(start(peer).compareAndSwap(expected, value, bytes, peer, remote, fetched, 0), peer);
        return fetched.get(JAVA_LONG, 0);
    }

    void compareAndSwapNbi(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        start(peer).compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset);
    }

    /// Orders what came before it ahead of what comes after it, towards each peer.
    public void fence() {
        channel.fence();
    }

    /// Completes what was started towards a peer, or [Channel#ALL_PEERS].
    public void quiet(int peer) {
        await(channel.quiet(peer), peer);
    }

    /// Ends the channel, when all is complete.
    void close() {
        channel.close();
    }

    private Channel start(int peer) {
        room.awaitStart(channel, peer);
        return channel;
    }

    private void await(long ticket, int peer) {
        if (ticket != 0) {
            room.awaitTicket(channel, ticket, peer);
        }
    }
}
