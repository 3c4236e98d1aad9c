// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// An operation under way, from a pool. It has memory of its own for a message: UCX reads a header until the
/// message has left. The worker's lock guards all fields but the generation.
final class UcxOperation {
    /// What it is.
    enum Kind {
        PUT(true),
        GET(true),
        /// awaits a word
        FETCH(true),
        /// a message for which no thread waits
        MESSAGE(true),
        /// an answer to a peer, or a message of the conduit itself
        CONTROL(false),
        /// completes the puts of an endpoint, for a QUIET
        FLUSH(false),
        QUIET(false),
        /// the close of an endpoint
        CLOSE(false);

        /// Whether the limit of operations under way counts it.
        final boolean isLimited;

        Kind(boolean isLimited) {
            this.isLimited = isLimited;
        }
    }

    /// What a PUT does now.
    enum Stage {
        TRANSFER,
        /// the bytes have left; UCX completes them at the peer
        FLUSH,
        /// the message that updates the signal leaves
        SIGNAL
    }

    final int index;

    /// Address of [UcxMessage#HEADER_BYTES] bytes, and then [UcxMessage#PAYLOAD_BYTES].
    final long header;

    final long payload;

    /// Counts the uses of this object: a ticket with another generation is done.
    private final AtomicLong generation = new AtomicLong(1);

    Kind kind = Kind.MESSAGE;
    Stage stage = Stage.TRANSFER;

    @Nullable
    UcxPeer peer;

    /// UCX's request, or 0 if UCX has nothing under way for this operation.
    long request;

    /// The program's source or target. An operation keeps it reachable.
    @Nullable
    MemorySegment memory;

    long memoryOffset;
    long length;
    long remote;

    /// Whether the bytes travel by messages.
    boolean usesMessages;

    /// Bytes of the transfer that are complete, and those that are under way.
    long done;

    long chunk;

    /// Whether the bytes under way are a copy, so that the program may reuse its own.
    boolean payloadIsCopy;

    /// Memory for bytes of a transfer from or to an array, or null.
    @Nullable
    BounceBlock block;

    /// Bytes of the word of a FETCH.
    int wordBytes;

    /// Whether the answer of a GET or a FETCH has arrived.
    boolean isAnswered;

    /// Whether a PUT updates a signal in the end: its address, update and operand.
    boolean hasSignal;

    long signal;
    int signalUpdate;
    long signalValue;

    /// What a QUIET still waits for, and the quiet of all peers that this one is a part of.
    int waits;

    @Nullable
    UcxOperation parent;

    /// Puts of the endpoint that a FLUSH completes.
    long flushedPuts;

    /// Neighbours in the list of a peer's open operations, and whether this one is in it.
    @Nullable
    UcxOperation next;

    @Nullable
    UcxOperation previous;

    boolean isListed;

    UcxOperation(int index, long memory) {
        this.index = index;
        this.header = memory;
        this.payload = memory + UcxMessage.HEADER_BYTES;
    }

    /// Returns the number of this use. Any thread may ask.
    long generation() {
        return generation.getAcquire();
    }

    /// Ends this use, and forgets everything that a later one must not see.
    void endUse() {
        peer = null;
        request = 0;
        memory = null;
        done = 0;
        chunk = 0;
        block = null;
        usesMessages = false;
        payloadIsCopy = false;
        isAnswered = false;
        hasSignal = false;
        stage = Stage.TRANSFER;
        waits = 0;
        parent = null;
        generation.setRelease(generation.getPlain() + 1); // under the lock
    }

    /// Returns the program's memory, which transfers and fetches have.
    MemorySegment memory() {
        return Objects.requireNonNull(memory, "no memory");
    }

    UcxPeer peer() {
        return Objects.requireNonNull(peer, "an operation of all peers");
    }
}
