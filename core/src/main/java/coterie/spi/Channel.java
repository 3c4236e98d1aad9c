// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import java.lang.foreign.MemorySegment;

/// Operations of a PE that are ordered and completed together: one for each context, and one for the runtime's own
/// rounds. Nothing orders what goes through different channels.
///
/// Within a channel, too, operations may take effect at a peer in any order but for [#fence], and at different
/// peers always. An operation that returns a *ticket* may be under way still: 0 means complete, a positive value
/// is for [#isDone]. One thread of a PE calls a channel at a time, unless
/// [Conduit#servesThreads].
public interface Channel extends AutoCloseable {
    /// Stands for every peer in [#quiet].
    int ALL_PEERS = -1;

    /// Whether an operation towards this peer can be started now. The caller asks before each one, and waits where
    /// not: nothing is ever lost, nor queued without bound.
    default boolean accepts(int peer) {
        return true;
    }

    /// Starts copying bytes of mine to a peer.
    ///
    /// @return the ticket that is done when `source` may be reused
    long put(MemorySegment source, long sourceOffset, long length, int peer, long remote);

    /// Starts copying bytes of a peer into mine.
    ///
    /// @return the ticket that is done when the bytes are in `target`
    long get(int peer, long remote, MemorySegment target, long targetOffset, long length);

    /// Starts copying bytes of mine to a peer, and then updating a signal there: whoever sees the update sees the
    /// bytes.
    ///
    /// @param signal the place of the signal's 8 bytes, as `remote`
    /// @return the ticket that is done when `source` may be reused
    long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value);

    /// Stores the low `bytes` bytes of `word`, indivisibly; the word is taken at once.
    ///
    /// @param bytes 1, 2, 4 or 8
    void putWord(long word, int bytes, int peer, long remote);

    /// Loads a word, indivisibly, into the `bytes` bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8
    /// @return the ticket that is done when the word is there
    long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Does an atomic operation on a word, indivisibly with all others on it; the word before comes to the `bytes`
    /// bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8; what lies beside the word stays as it is
    /// @return the ticket that is done when the old word is there
    long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset);

    /// [#atomic] where nobody asks what was there.
    void update(AtomicOperation operation, long operand, int bytes, int peer, long remote);

    /// Replaces a word by `value` if it holds `expected`, indivisibly with all atomics on it; the word before
    /// comes to the `bytes` bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8; what lies beside the word stays as it is
    /// @return the ticket that is done when the old word is there
    long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Orders puts, signals and atomics before it ahead of those after it, towards each peer. Does not wait.
    ///
    /// Not called where the conduit does not order; see [Conduit#orders].
    void fence();

    /// Starts completing all operations so far.
    ///
    /// @param peer those towards it at least, or [#ALL_PEERS]
    /// @return the ticket that is done when what was put is visible to every PE, and what was fetched is there
    long quiet(int peer);

    /// Whether the operation behind a ticket is done; advances what is under way, without blocking.
    boolean isDone(long ticket);

    /// Completes what is under way as far as it still can be, and ends the channel.
    @Override
    void close();
}
