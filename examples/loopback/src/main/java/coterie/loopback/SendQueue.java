// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/// What a connection has still to send: bytes of this class's own, and parts of segments of others.
final class SendQueue {
    /// Bytes that one write offers to the socket.
    private static final int STAGE_BYTES = 1 << 16;

    private final ByteBuffer stage = ByteBuffer.allocateDirect(STAGE_BYTES);
    private final MemorySegment staged = MemorySegment.ofBuffer(stage);
    private final Deque<Part> parts = new ArrayDeque<>();
    private final LongConsumer onCopied;
    private int filled;

    /// The bytes of the first part that are staged already.
    private long copied;

    /// @param ticket of the operation whose source this is, or 0
    private record Part(MemorySegment source, long offset, long length, long ticket) {}

    /// @param onCopied gets the ticket of a part whose source the caller may reuse
    SendQueue(LongConsumer onCopied) {
        this.onCopied = onCopied;
    }

    void add(MemorySegment source, long offset, long length, long ticket) {
        parts.add(new Part(source, offset, length, ticket));
    }

    void add(byte[] bytes) {
        add(MemorySegment.ofArray(bytes), 0, bytes.length, 0);
    }

    boolean isEmpty() {
        return parts.isEmpty() && filled == 0;
    }

    int parts() {
        return parts.size();
    }

    /// Drops everything, and releases the sources.
    void clear() {
        parts.forEach(part -> release(part.ticket));
        parts.clear();
        filled = 0;
        copied = 0;
    }

    /// Sends as much as the socket takes.
    void flush(SocketChannel socket) throws IOException {
        boolean isTaken = true;
        while (isTaken && !isEmpty()) {
            fill();
            int written = socket.write(stage.clear().limit(filled));
            MemorySegment.copy(staged, written, staged, 0, filled - written);
            filled -= written;
            isTaken = filled == 0;
        }
    }

    private void fill() {
        while (filled < STAGE_BYTES && !parts.isEmpty()) {
            Part first = parts.element();
            long length = Math.min(first.length - copied, STAGE_BYTES - filled);
            MemorySegment.copy(first.source, first.offset + copied, staged, filled, length);
            filled += (int) length;
            copied += length;
            if (copied == first.length) {
                parts.remove();
                copied = 0;
                release(first.ticket);
            }
        }
    }

    private void release(long ticket) {
        if (ticket != 0) {
            onCopied.accept(ticket);
        }
    }
}
