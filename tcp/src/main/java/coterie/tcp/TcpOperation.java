// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An operation under way, from a pool. The engine's lock guards all fields but the generation.
final class TcpOperation {
    /// What it is.
    enum Kind {
        /// bytes leave from the program's memory
        PUT,
        /// awaits bytes
        GET,
        /// awaits a word
        FETCH,
        /// awaits that the peer has applied all messages before; without a peer, the quiets towards several peers
        QUIET
    }

    final int index;

    /// Counts the uses of this object: a ticket with another generation is done.
    private final AtomicLong generation = new AtomicLong(1);

    Kind kind = Kind.PUT;

    /// The program's source or target. An operation keeps it reachable.
    @Nullable
    MemorySegment memory;

    long offset;

    /// Bytes of a GET.
    long length;

    /// Bytes of the word of a FETCH.
    int width;

    /// Messages to the peer that the answer shows to be applied.
    long covers;

    /// Slices of a PUT that have not left, or parts that a QUIET of several peers still waits for, and the quiet that
    /// this one is a part of.
    int waits;

    @Nullable
    TcpOperation parent;

    TcpOperation(int index) {
        this.index = index;
    }

    /// Returns the number of this use. Any thread may ask.
    long generation() {
        return generation.getAcquire();
    }

    /// Ends this use, and forgets everything that a later one must not see.
    void endUse() {
        memory = null;
        parent = null;
        waits = 0;
        generation.setRelease(generation.getPlain() + 1); // under the lock
    }

    /// Returns the program's memory, which transfers and fetches have.
    MemorySegment memory() {
        return Objects.requireNonNull(memory, "no memory");
    }
}
