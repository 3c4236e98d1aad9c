// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import java.lang.foreign.MemorySegment;

/// Operations of a PE that are ordered and completed together. Each context has a channel, and the runtime's own
/// rounds have one. Operations of different channels are in no order.
///
/// Operations of one channel may take effect at a peer in any order, too, unless [#fence] separates them; at
/// different peers always. An operation that returns a *ticket* may still be under way: 0 means complete, a
/// positive ticket is for [#isDone]. A ticket is done when the caller may reuse the source of its put, or has the
/// bytes or the old value that its operation fetches. One thread of a PE at a time calls a channel, unless the
/// conduit has [Conduit.Capability#THREADS].
///
/// A `remote` is a place as [Conduit] defines it. A `bytes` of a word is 1, 2, 4 or 8; atomics leave the bytes
/// beside the word unchanged.
public interface Channel extends AutoCloseable {
    /// Every peer, in [#quiet].
    int ALL_PEERS = -1;

    /// Returns whether the channel can start an operation towards this peer now. The caller asks before each
    /// operation and waits if not: so a channel drops nothing, and queues nothing without bound.
    default boolean accepts(int peer) {
        return true;
    }

    /// Starts copying the caller's bytes to a peer.
    long put(MemorySegment source, long sourceOffset, long length, int peer, long remote);

    /// Starts copying a peer's bytes to the caller.
    long get(int peer, long remote, MemorySegment target, long targetOffset, long length);

    /// Starts copying the caller's bytes to a peer, and then updates a signal of that peer: a reader that sees the
    /// update sees the bytes.
    ///
    /// @param signal the place of the signal's 8 bytes, in the form of `remote`
    long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value);

    /// Stores the low `bytes` bytes of `word`, indivisibly. The argument is a value, so it needs no ticket.
    void putWord(long word, int bytes, int peer, long remote);

    /// Loads a word, indivisibly, into the `bytes` bytes at `result`.
    long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Applies an atomic operation to a word, indivisibly with all other atomics on it, and stores the old value
    /// in the `bytes` bytes at `result`.
    long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset);

    /// Applies an atomic operation as [#atomic] does, and returns no old value.
    void update(AtomicOperation operation, long operand, int bytes, int peer, long remote);

    /// Replaces a word by `value` if it holds `expected`, indivisibly with all atomics on it, and stores the old
    /// value in the `bytes` bytes at `result`.
    long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Orders all earlier puts, signals and atomics of the channel before its later ones, for each peer. Does not
    /// wait. The runtime calls it only if the conduit has
    /// [Conduit.Capability#ORDERED].
    void fence();

    /// Orders all earlier puts, signals and atomics towards a peer before one put, signal or atomic that the caller
    /// starts there next, if the channel can do that without waiting. The runtime asks on behalf of a fence if the
    /// conduit does not have [Conduit.Capability#ORDERED]; after the answer false it completes the earlier
    /// operations first.
    ///
    /// @param bytes that the next operation puts; of its word, if it is an atomic
    default boolean orders(int peer, long bytes) {
        return false;
    }

    /// Starts completing all earlier operations of the channel.
    ///
    /// @param peer at least the operations towards it, or [#ALL_PEERS]
    /// @return the ticket that is done when every PE can see the bytes put, and the bytes fetched are at the
    ///     caller
    long quiet(int peer);

    /// Advances what is under way, without blocking, and returns whether the operation of a ticket is done. A
    /// ticket stays done: the runtime may ask late, after a quiet that has completed the operation, and more than
    /// once. It asks only for tickets that this channel has returned.
    boolean isDone(long ticket);

    /// Completes what is under way as far as that is still possible, and ends the channel.
    @Override
    void close();
}
