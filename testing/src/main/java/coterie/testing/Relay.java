// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Stands between two ends of connections as a host of a network does: it passes on and keeps what it reads, or what
/// it reads in the channels that the test makes of the connections.
public final class Relay implements Closeable {
    private final ServerSocketChannel server;
    private final InetSocketAddress target;
    private final Between between;
    private final ByteArrayOutputStream seen = new ByteArrayOutputStream();
    private final AtomicInteger broken = new AtomicInteger();

    /// Makes channels of the two connections of a caller.
    @FunctionalInterface
    public interface Between {
        /// Returns the caller's and the target's channel, both non-blocking.
        List<ByteChannel> of(SocketChannel caller, SocketChannel called) throws IOException;
    }

    /// Passes the bytes of connections on as they are.
    public Relay(InetSocketAddress target) throws IOException {
        this(target, List::of);
    }

    public Relay(InetSocketAddress target, Between between) throws IOException {
        this.target = target;
        this.between = between;
        this.server = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread.ofPlatform().daemon().name("relay").start(this::accept);
    }

    public InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    /// Returns all bytes so far, those of both directions.
    public byte[] seen() {
        synchronized (seen) {
            return seen.toByteArray();
        }
    }

    /// Returns whether bytes have passed.
    public boolean hasSeen(byte[] pattern) {
        byte[] all = seen();
        for (int at = 0; at + pattern.length <= all.length; at++) {
            int same = 0;
            while (same < pattern.length && all[at + same] == pattern[same]) {
                same++;
            }
            if (same == pattern.length) {
                return true;
            }
        }
        return false;
    }

    /// Returns how many pairs of connections have ended with an error.
    public int broken() {
        return broken.get();
    }

    private void accept() {
        while (server.isOpen()) {
            try {
                SocketChannel caller = server.accept();
                Thread.ofPlatform().daemon().name("relayed").start(() -> pass(caller));
            } catch (IOException e) {
                return; // the end of the test
            }
        }
    }

    private void pass(SocketChannel accepted) {
        try (SocketChannel caller = accepted;
                SocketChannel called = SocketChannel.open(target)) {
            caller.configureBlocking(false);
            called.configureBlocking(false);
            List<ByteChannel> ends = between.of(caller, called);
            ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
            while (pass(ends.get(0), ends.get(1), buffer) && pass(ends.get(1), ends.get(0), buffer)) {
                Thread.yield();
            }
        } catch (IOException e) {
            broken.incrementAndGet();
        }
    }

    private boolean pass(ByteChannel from, ByteChannel to, ByteBuffer buffer) throws IOException {
        int count = from.read(buffer.clear());
        byte[] read = new byte[buffer.position()];
        buffer.get(0, read);
        synchronized (seen) {
            seen.writeBytes(read);
        }
        buffer.flip();
        do {
            to.write(buffer); // an encrypted channel also sends what it has kept
        } while (buffer.hasRemaining());
        return count >= 0 && server.isOpen();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
