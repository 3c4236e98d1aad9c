// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// Sees what the PEs ask of the network and what becomes of it, in the order in which it happens: the race
/// detector.
///
/// A *mark* is the watcher's own note of an operation, which goes with its message. Channels are numbered per PE.
/// Offsets count from the begin of the region. All calls come from whoever has the stage, one at a time.
///
/// What is told by a PE's own thread may throw, at the place in the program that is to blame: all but [#applied]
/// and [#closed]. An operation whose [#started] or [#signals] has thrown is not sent.
public interface OperationObserver {
    /// What an operation does to the target's memory.
    enum Kind {
        /// writes bytes
        PUT,
        /// writes a word indivisibly
        WORD,
        /// changes a word indivisibly, and fetches nothing
        UPDATE,
        /// changes a word indivisibly, and fetches what it was
        ATOMIC,
        /// fetches a word indivisibly, and may change it
        COMPARE,
        /// fetches a word indivisibly
        FETCH,
        /// reads bytes or a word
        GET
    }

    /// A PE starts an operation.
    ///
    /// @param content what [Kind#WORD] writes; of [Kind#PUT] a number that is the same for equal bytes, and hardly
    ///     for others; else 0
    /// @return a mark
    Object started(int pe, int channel, int peer, Kind kind, Region region, long offset, long length, long content);

    /// The signal word of a put with signal, whose bytes have just been [#started].
    ///
    /// @param put mark of the bytes, or null if there are none
    /// @return a mark
    Object signals(int pe, int channel, int peer, @Nullable Object put, Region region, long offset);

    /// An operation has taken effect in its target's memory; a split one at its last piece.
    ///
    /// @param changed whether a [Kind#COMPARE] has found what it expected; of the others, true
    void applied(Object mark, boolean changed);

    /// A PE has learnt what an operation has fetched: it has found its ticket done, or a quiet.
    void returned(Object mark);

    /// A PE reads bytes of its own heap as the source of an operation.
    void sourced(int pe, long offset, long length);

    /// A PE has ordered what it has started on a channel ahead of what it will start there.
    void fenced(int pe, int channel);

    /// How many operations a PE has started on a channel, as the watcher counts: what a quiet that begins now
    /// completes.
    long issued(int pe, int channel);

    /// A PE knows that what it has started on a channel towards a peer, or [coterie.spi.Channel#ALL_PEERS], before
    /// it asked has taken effect. What that has fetched has been [#returned] before.
    ///
    /// @param asked [#issued], when it asked
    void completed(int pe, int channel, int peer, long asked);

    /// A PE's world has ended. The next one's heap is a new one.
    void closed(int pe);
}
