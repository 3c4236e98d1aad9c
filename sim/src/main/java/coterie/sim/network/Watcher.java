// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// Sees what the PEs ask of the network and what becomes of it, in the order in which it happens: the race
/// detector.
///
/// A *mark* is the watcher's own note of an operation, which goes with its message; null where the watcher has
/// none. Channels are numbered per PE. Offsets count from the begin of the region. All calls come from whoever has
/// the stage, one at a time.
public interface Watcher {
    /// What an operation does to the target's memory.
    enum Kind {
        /// writes bytes
        PUT,
        /// writes a word indivisibly
        WORD,
        /// changes a word, with or without fetching it
        ATOMIC,
        /// reads bytes or a word
        GET
    }

    /// A PE starts an operation.
    ///
    /// @return a mark
    @Nullable
    Object started(int pe, int channel, int peer, Kind kind, Region region, long offset, long length);

    /// The signal word of a put with signal, whose bytes have just been [#started].
    ///
    /// @param put mark of the bytes, or null if there are none
    /// @return a mark
    @Nullable
    Object signals(int pe, int channel, int peer, @Nullable Object put, Region region, long offset);

    /// An operation has taken effect in its target's memory; a split one at its last piece.
    void applied(Object mark);

    /// What an operation has fetched is with its origin.
    void returned(Object mark);

    /// A PE has read bytes of its own heap as the source of an operation.
    void sourced(int pe, long offset, long length);

    /// A PE has ordered what it has started on a channel ahead of what it will start there.
    void fenced(int pe, int channel);

    /// A PE knows that what it has started on a channel towards a peer, or [coterie.spi.Channel#ALL_PEERS], before
    /// it asked has taken effect.
    ///
    /// @param asked how many operations it had started on the channel when it asked
    void completed(int pe, int channel, int peer, long asked);
}
