// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.tcp.TcpMessage.Kind;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.GatheringByteChannel;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// What has still to be sent to a peer, in order: staged bytes, which are headers and copies of short payloads,
/// and *parts* between them, which leave from the memory where they are.
///
/// ```
///  staged   header header bytes header │        header header
///                                      └ part ┘
/// ```
///
/// Nothing is written before [#write]: so messages that begin at the same time leave by one system call. The
/// engine's lock guards everything.
final class SendStream {
    /// Payloads of so many bytes are copied: a part costs an object, and more than the copy.
    static final int MOST_COPIED = 8 << 10;

    /// Staged bytes from which on the stream [#isFull]: as many as a socket takes at once.
    private static final int STAGE_BYTES = 64 << 10;

    /// Puts in place from which on the stream is full. Their bytes leave one after another, so that more gain
    /// nothing.
    private static final int MOST_PARTS = 64;

    /// What the stage has beyond its limit, for answers and messages of the conduit itself, which no limit holds
    /// up.
    private static final int SPARE_BYTES = 32 << 10;

    private ByteBuffer stage = allocate(STAGE_BYTES + SPARE_BYTES);

    /// The same memory, with the bounds of what the socket gets.
    private ByteBuffer leaving = stage.duplicate();
    private MemorySegment staged = MemorySegment.ofBuffer(stage);

    /// Where the bytes to be sent begin and end in the stage, and how many have been sent before.
    private int start;

    private int end;
    private long sent;

    /// A ring of parts: first, and number.
    private Part[] parts = newParts(MOST_PARTS);

    private int firstPart;
    private int partCount;

    private final ByteBuffer[] pair = new ByteBuffer[2];
    private final TcpTickets tickets;
    private final ByteBuffer bounce;
    private final MemorySegment bounced;

    /// Bytes that leave from where they are.
    private static final class Part {
        /// Staged bytes of the stream before it.
        long after;

        /// An address, or a place in an array.
        long from;

        long left;

        @Nullable
        MemorySegment array;

        @Nullable
        ByteBuffer view;

        /// Ends when the bytes have left, and those of its other slices; null for an answer.
        @Nullable
        TcpOperation operation;
    }

    /// @param bounce native memory by which bytes of arrays leave, for all streams of an engine
    SendStream(TcpTickets tickets, ByteBuffer bounce) {
        this.tickets = tickets;
        this.bounce = bounce;
        this.bounced = MemorySegment.ofBuffer(bounce);
    }

    private static ByteBuffer allocate(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static Part[] newParts(int count) {
        Part[] made = new Part[count];
        Arrays.setAll(made, i -> new Part());
        return made;
    }

    boolean isEmpty() {
        return start == end && partCount == 0;
    }

    /// Returns whether the program should wait before it adds more.
    boolean isFull() {
        return end - start >= STAGE_BYTES || partCount >= MOST_PARTS;
    }

    /// Returns the bytes that are staged.
    int stagedBytes() {
        return end - start;
    }

    /// Returns the number of parts, of answers too.
    int parts() {
        return partCount;
    }

    /// Adds a message. Returns its place in [#stage], which is valid until something else is added.
    int add(Kind kind, int detail, int width, long remote, long operand) {
        int at = reserve(TcpMessage.HEADER_BYTES);
        TcpMessage.write(stage, at, kind, detail, width, remote, operand);
        return at;
    }

    /// Returns the buffer with the headers of messages that are staged.
    ByteBuffer stage() {
        return stage;
    }

    /// Copies bytes that follow the message before.
    void copy(MemorySegment source, long offset, long length) {
        int at = reserve((int) length);
        MemorySegment.copy(source, offset, staged, at, length);
    }

    /// Refers to bytes that follow the message before, and that nothing may change until they have left.
    ///
    /// @param operation that ends when all that refers to it has left, or null
    void refer(MemorySegment source, long offset, long length, @Nullable TcpOperation operation) {
        if (partCount == parts.length) {
            growParts();
        }
        Part part = parts[firstPart + partCount & parts.length - 1];
        partCount++;
        part.after = sent + end - start;
        part.left = length;
        part.array = source.isNative() ? null : source;
        part.from = source.isNative() ? source.address() + offset : offset;
        part.operation = operation;
        if (operation != null) {
            operation.waits++;
        }
    }

    private void growParts() {
        Part[] more = newParts(2 * parts.length);
        for (int i = 0; i < partCount; i++) {
            more[i] = parts[firstPart + i & parts.length - 1];
        }
        parts = more;
        firstPart = 0;
    }

    private int reserve(int bytes) {
        if (end + bytes > stage.capacity()) {
            int count = end - start;
            if (count + bytes > stage.capacity()) {
                MemorySegment old = staged;
                stage = allocate(Math.max(2 * stage.capacity(), count + bytes));
                leaving = stage.duplicate();
                staged = MemorySegment.ofBuffer(stage);
                MemorySegment.copy(old, start, staged, 0, count);
            } else {
                MemorySegment.copy(staged, start, staged, 0, count);
            }
            start = 0;
            end = count;
        }
        int at = end;
        end += bytes;
        return at;
    }

    /// Sends as much as the socket takes. Returns whether that is all.
    boolean write(GatheringByteChannel socket) throws IOException {
        while (!isEmpty()) {
            Part part = partCount == 0 ? null : parts[firstPart];
            int before = part == null ? end - start : (int) (part.after - sent);
            leaving.limit(start + before).position(start);
            long offered;
            long written;
            if (part == null) {
                offered = before;
                written = socket.write(leaving);
            } else {
                ByteBuffer bytes = bytes(part);
                offered = (long) before + bytes.remaining();
                if (before == 0) {
                    written = socket.write(bytes);
                } else {
                    pair[0] = leaving;
                    pair[1] = bytes;
                    written = socket.write(pair);
                }
            }
            int ofStage = (int) Math.min(before, written);
            start += ofStage;
            sent += ofStage;
            if (part != null) {
                advance(part, written - ofStage);
            }
            if (start == end) {
                start = 0;
                end = 0;
            }
            if (written < offered) {
                return false;
            }
        }
        return true;
    }

    private ByteBuffer bytes(Part part) {
        MemorySegment array = part.array;
        if (array != null) {
            int count = (int) Math.min(bounce.capacity(), part.left);
            MemorySegment.copy(array, part.from, bounced, 0, count);
            return bounce.limit(count).position(0);
        }
        ByteBuffer view = part.view;
        if (view == null || !view.hasRemaining()) {
            view = ProcessMemory.view(part.from, Math.min(ProcessMemory.VIEW_BYTES, part.left));
            part.view = view;
        }
        return view;
    }

    private void advance(Part part, long written) {
        part.from += written;
        part.left -= written;
        if (part.left == 0) {
            endFirst(part);
        }
    }

    private void endFirst(Part part) {
        TcpOperation operation = part.operation;
        part.operation = null;
        part.array = null;
        part.view = null;
        firstPart = firstPart + 1 & parts.length - 1;
        partCount--;
        if (operation != null) {
            tickets.countDown(operation);
        }
    }

    /// Drops everything, and ends the operations whose bytes would have left.
    void clear() {
        while (partCount > 0) {
            endFirst(parts[firstPart]);
        }
        start = 0;
        end = 0;
    }
}
