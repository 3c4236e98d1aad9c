// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/// An unbounded queue with one producer and one consumer at a time, which keeps used descriptors for reuse:
/// Dmitry Vyukov's single-producer queue with a node cache.
///
/// ```
///  oldest ─► … ─► done ─► … ─► last
///    └ for reuse ┘ └── pending ──┘
/// ```
///
/// The producer holds the runtime's lock; the consumer is the thread that runs the hook.
final class OperationQueue {
    /// Descriptors for reuse beyond which a queue lets one go with each append: 8 MiB of them.
    private static final long MAX_CACHED = 65_536;

    /// The producer's.
    private StreamOperation last = new StreamOperation();

    private StreamOperation oldest = last;
    private StreamOperation limit = last;
    private long appended;
    private long nodes;

    /// The consumer's; the producer reads it, to learn what it may reuse.
    private volatile StreamOperation done = last;

    /// Returns a descriptor for the next [#append].
    ///
    /// @param completed operations that are over
    StreamOperation acquire(long completed) {
        StreamOperation free = reuse();
        if (free == null) {
            nodes++;
            return new StreamOperation();
        }
        if (nodes - (appended - completed) > MAX_CACHED && reuse() != null) {
            nodes--;
        }
        return free;
    }

    @SuppressWarnings("ReferenceEquality") // places in the chain
    private @Nullable StreamOperation reuse() {
        if (oldest == limit) {
            limit = done;
            if (oldest == limit) {
                return null;
            }
        }
        StreamOperation free = oldest;
        oldest = requireNonNull(free.next);
        return free;
    }

    void append(StreamOperation operation) {
        operation.next = null;
        last.next = operation;
        last = operation;
        appended++;
    }

    /// Returns the first pending operation, or null.
    @Nullable
    StreamOperation peek() {
        return done.next;
    }

    /// Removes the first pending operation, which the producer may reuse after the next removal.
    void remove(StreamOperation first) {
        done = first;
    }
}
