// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// An operation that is held back, with all that starting it takes; and once it has been started, until it is
/// done. One object serves many operations, one after another.
final class DeferredOperation {
    enum Kind {
        PUT,
        GET,
        PUT_SIGNAL,
        PUT_WORD,
        GET_WORD,
        ATOMIC,
        UPDATE,
        COMPARE_AND_SWAP,
        /// a quiet; in no lane, begun when all its marks have been passed
        QUIET,
        /// where in a lane a quiet was asked for
        MARK
    }

    /// Ours are negative, so that they differ from those of the channel below.
    private static final long OURS = Long.MIN_VALUE;

    /// In place of a number of bytes: an operation that puts none.
    static final long FETCHES = -1;

    private static final int INDEX_BITS = 24;

    private final int index;

    /// Operations that this object has served.
    private long served;

    /// The next in its lane, among those under way, or among those to be had.
    @Nullable
    DeferredOperation next;

    /// Fences that came before it.
    long fences;

    /// The ticket below, once it has been started.
    long below;

    Kind kind = Kind.PUT;
    int peer;

    private MemorySegment memory = MemorySegment.NULL;
    private long offset;
    private long length;
    private long remote;
    private long signal;
    private SignalOperation update = SignalOperation.SET;
    private AtomicOperation operation = AtomicOperation.ADD;
    private long word;
    private long expected;
    private int bytes;

    /// A mark's quiet.
    @Nullable
    DeferredOperation quiet;

    /// A quiet's marks that have not been passed.
    int marks;

    DeferredOperation(int index) {
        this.index = index;
    }

    /// What its caller asks by.
    long ticket() {
        return OURS | served << INDEX_BITS | index;
    }

    static boolean isOurs(long ticket) {
        return ticket < 0;
    }

    static int index(long ticket) {
        return (int) (ticket & (1 << INDEX_BITS) - 1);
    }

    /// Whether this still is what the ticket was given for.
    boolean serves(long ticket) {
        return ticket() == ticket;
    }

    /// Lets go of the program's memory, and makes its ticket done.
    void finish() {
        served++;
        memory = MemorySegment.NULL;
        quiet = null;
        below = 0;
    }

    DeferredOperation copy(Kind how, MemorySegment mine, long mineOffset, long byteSize, long place) {
        kind = how;
        memory = mine;
        offset = mineOffset;
        length = byteSize;
        remote = place;
        return this;
    }

    DeferredOperation signal(long place, SignalOperation how, long value) {
        signal = place;
        update = how;
        word = value;
        return this;
    }

    DeferredOperation word(Kind how, long operand, int byteSize, long place) {
        kind = how;
        word = operand;
        bytes = byteSize;
        remote = place;
        return this;
    }

    DeferredOperation operation(AtomicOperation how) {
        operation = how;
        return this;
    }

    DeferredOperation expecting(long value) {
        expected = value;
        return this;
    }

    DeferredOperation into(MemorySegment result, long resultOffset) {
        memory = result;
        offset = resultOffset;
        return this;
    }

    /// Returns the bytes that it puts, or of the word that it changes; [#FETCHES] if it changes nothing.
    long putBytes() {
        return switch (kind) {
            case PUT, PUT_SIGNAL -> length;
            case PUT_WORD, ATOMIC, UPDATE, COMPARE_AND_SWAP -> bytes;
            case GET, GET_WORD, QUIET, MARK -> FETCHES;
        };
    }

    /// Starts it; returns the ticket of the channel below.
    long start(Channel channel) {
        switch (kind) {
            case PUT -> below = channel.put(memory, offset, length, peer, remote);
            case GET -> below = channel.get(peer, remote, memory, offset, length);
            case PUT_SIGNAL -> below = channel.putSignal(memory, offset, length, peer, remote, signal, update, word);
            case PUT_WORD -> channel.putWord(word, bytes, peer, remote);
            case GET_WORD -> below = channel.getWord(bytes, peer, remote, memory, offset);
            case ATOMIC -> below = channel.atomic(operation, word, bytes, peer, remote, memory, offset);
            case UPDATE -> channel.update(operation, word, bytes, peer, remote);
            case COMPARE_AND_SWAP ->
                below = channel.compareAndSwap(expected, word, bytes, peer, remote, memory, offset);
            case QUIET -> below = channel.quiet(peer);
            case MARK -> throw new AssertionError(this);
        }
        return below;
    }
}
