// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// Observes the operations of all PEs and their effects, in the order of execution; the race detector implements
/// it.
///
/// A *mark* is the observer's object for an operation, which its message carries. Channels are numbered per PE.
/// Offsets count from the begin of the region. The simulator makes all calls on the running thread, one at a time.
///
/// Calls on a PE's own thread may throw, and the exception has that PE's place in the program: all except
/// [#applied] and [#closed]. If [#started] or [#signals] throws, the operation is not sent.
public interface OperationObserver {
    /// The effect of an operation on the target's memory.
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
    /// @param content the word of [Kind#WORD]; for [Kind#PUT] a number that is equal for equal bytes and hardly
    ///     ever for others; else 0
    /// @return a mark
    Object started(int pe, int channel, int peer, Kind kind, Region region, long offset, long length, long content);

    /// A PE starts the signal of a put with signal, whose payload it has just [#started].
    ///
    /// @param put mark of the payload, or null if it is empty
    /// @return a mark
    Object signals(int pe, int channel, int peer, @Nullable Object put, Region region, long offset);

    /// An operation has taken effect in its target's memory; one in pieces, with its last piece.
    ///
    /// @param changed whether a [Kind#COMPARE] found the expected value; true for the others
    void applied(Object mark, boolean changed);

    /// A PE has the result of an operation: it has found the ticket done, or a quiet complete.
    void returned(Object mark);

    /// A PE reads bytes of its own heap as the source of an operation.
    void sourced(int pe, long offset, long length);

    /// A PE has called a fence on a channel.
    void fenced(int pe, int channel);

    /// Returns how many operations a PE has started on a channel, by the observer's count: a quiet that begins now
    /// completes these.
    long issued(int pe, int channel);

    /// A PE knows that the operations which it started on a channel before it began a quiet have taken effect:
    /// those towards one peer, or towards [coterie.spi.Channel#ALL_PEERS]. Calls of [#returned] for their results
    /// precede this call.
    ///
    /// @param asked the value of [#issued] at the begin of the quiet
    void completed(int pe, int channel, int peer, long asked);

    /// A PE has closed its world. The next one has a new heap.
    void closed(int pe);
}
