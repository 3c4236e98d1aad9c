// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.CoterieException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A connection with another member. A message is the number of its run, its length, and its bytes.
final class Connection {
    private static final int HEAD_BYTES = Long.BYTES + Integer.BYTES;

    /// Time that the runtime has to notice and report the failure of the other PE before this connection reports
    /// its own.
    private static final long GRACE_NANOS = 2_000_000_000L;

    private final int pe;
    private final SocketChannel channel;

    /// Heads and bodies to send, in order.
    private final Deque<ByteBuffer> out = new ArrayDeque<>();

    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);

    /// The body of the incoming message, once its head is complete.
    private @Nullable ByteBuffer body;

    /// Received messages, by the numbers of their runs.
    private final Map<Long, ByteBuffer> received = new HashMap<>();

    /// Why the connection has failed, or null.
    private @Nullable IOException failure;

    private long failedSince;

    Connection(int pe, SocketChannel channel) {
        this.pe = pe;
        this.channel = channel;
    }

    /// Queues a message, which [#pump] sends.
    ///
    /// @param bytes the caller must not change them until [#hasSent] returns true, or [#detach] was called
    void send(long number, ByteBuffer bytes) {
        out.add(ByteBuffer.allocate(HEAD_BYTES)
                .putLong(number)
                .putInt(bytes.remaining())
                .flip());
        out.add(bytes);
    }

    /// Copies the bytes that are not sent yet: from now on, callers may change the buffers that they passed to
    /// [#send].
    void detach() {
        for (int left = out.size(); left > 0; left--) {
            ByteBuffer unsent = out.remove();
            out.add(ByteBuffer.allocate(unsent.remaining()).put(unsent).flip());
        }
    }

    /// Returns whether all queued messages are sent.
    boolean hasSent() {
        return out.isEmpty();
    }

    /// Removes and returns the message of a run, or null if it has not arrived. The buffer is the caller's.
    @Nullable
    ByteBuffer receive(long number) {
        return received.remove(number);
    }

    /// Sends and receives as much as it can without waiting.
    void pump() {
        if (failure != null) {
            return;
        }
        try {
            write();
            boolean more = true;
            while (more) {
                more = read();
            }
        } catch (IOException e) {
            failure = e;
            failedSince = System.nanoTime();
        }
    }

    /// @throws CoterieException if the connection has failed, and the runtime has reported no other failure for a
    ///     while
    void check() {
        if (failure != null && System.nanoTime() - failedSince > GRACE_NANOS) {
            throw new CoterieException("the connection with PE " + pe + " failed: " + failure.getMessage(), failure);
        }
    }

    private void write() throws IOException {
        while (!out.isEmpty()) {
            ByteBuffer first = out.element();
            channel.write(first);
            if (first.hasRemaining()) {
                return;
            }
            out.remove();
        }
    }

    /// @return whether more bytes may be available
    private boolean read() throws IOException {
        ByteBuffer into = body == null ? head : body;
        if (into.hasRemaining() && channel.read(into) < 0) {
            throw new IOException("the peer closed it");
        }
        if (into.hasRemaining()) {
            return false;
        }
        if (body == null) {
            body = ByteBuffer.allocateDirect(head.getInt(Long.BYTES));
        } else {
            received.put(head.getLong(0), body.flip());
            body = null;
            head.clear();
        }
        return true;
    }

    void close() {
        Channels.close(channel, null);
    }
}
