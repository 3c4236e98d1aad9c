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

    /// What the runtime is given to notice that the other PE has failed, and say so, before the connection is
    /// blamed.
    private static final long GRACE_NANOS = 2_000_000_000L;

    private final int pe;
    private final SocketChannel channel;

    /// What goes out, in order: heads and bodies.
    private final Deque<ByteBuffer> out = new ArrayDeque<>();

    private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);

    /// What comes in behind the head, once that is there.
    private @Nullable ByteBuffer body;

    /// Messages that have come, by their runs' numbers.
    private final Map<Long, ByteBuffer> come = new HashMap<>();

    /// Why nothing moves any more, or null.
    private @Nullable IOException breach;

    private long brokenSince;

    Connection(int pe, SocketChannel channel) {
        this.pe = pe;
        this.channel = channel;
    }

    /// Sends a message, by and by.
    ///
    /// @param bytes that stay as they are until [#hasSent]
    void send(long number, ByteBuffer bytes) {
        out.add(ByteBuffer.allocate(HEAD_BYTES)
                .putLong(number)
                .putInt(bytes.remaining())
                .flip());
        out.add(bytes);
    }

    /// Whether all is on its way.
    boolean hasSent() {
        return out.isEmpty();
    }

    /// Returns the message of a run, or null if it has not arrived; each message is returned once.
    @Nullable
    ByteBuffer receive(long number) {
        return come.remove(number);
    }

    /// Moves all that can be moved.
    void pump() {
        if (breach != null) {
            return;
        }
        try {
            write();
            boolean goesOn = true;
            while (goesOn) {
                goesOn = read();
            }
        } catch (IOException e) {
            breach = e;
            brokenSince = System.nanoTime();
        }
    }

    /// Refuses to wait any longer where the connection has broken, and the runtime knows no better reason.
    void check() {
        if (breach != null && System.nanoTime() - brokenSince > GRACE_NANOS) {
            throw new CoterieException("the connection with PE " + pe + " has broken: " + breach.getMessage(), breach);
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

    /// @return whether there may be more
    private boolean read() throws IOException {
        ByteBuffer into = body == null ? head : body;
        if (into.hasRemaining() && channel.read(into) < 0) {
            throw new IOException("it was closed");
        }
        if (into.hasRemaining()) {
            return false;
        }
        if (body == null) {
            body = ByteBuffer.allocateDirect(head.getInt(Long.BYTES));
        } else {
            come.put(head.getLong(0), body.flip());
            body = null;
            head.clear();
        }
        return true;
    }

    void close() {
        Channels.close(channel, null);
    }
}
