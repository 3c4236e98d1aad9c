// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/// The connections of a coordinator that are no PE's yet. They are few, and soon gone, so that they cost the job
/// nothing.
final class Strangers {
    /// Time for a stranger to prove that it has the secret, and to join.
    private static final long HANDSHAKE_NANOS = 5_000_000_000L;

    /// Strangers that may be connected at a time, beside one for each PE. The oldest goes first.
    private static final int MOST = 64;

    /// Connections that are accepted before others are served again.
    private static final int MOST_ACCEPTS = 64;

    private final int most;
    private final List<PeerSocket> waiting = new ArrayList<>();
    private volatile int count;

    /// @param pes of the job
    Strangers(int pes) {
        this.most = MOST + pes;
    }

    /// Makes what a coordinator has of a connection.
    @FunctionalInterface
    interface Greeting {
        /// Returns it.
        ///
        /// @throws IOException if the connection takes no first message
        PeerSocket greet(SocketChannel socket, SelectionKey key) throws IOException;
    }

    /// Accepts the connections that have begun.
    void accept(ServerSocketChannel server, Selector selector, Greeting greeting) {
        for (int i = 0; i < MOST_ACCEPTS; i++) {
            SocketChannel socket;
            try {
                socket = server.accept();
            } catch (IOException e) {
                return; // the stranger has gone, or this process has no descriptor left: the next look tries again
            }
            if (socket == null) {
                return;
            }
            try {
                socket.configureBlocking(false);
                SelectionKey key = socket.register(selector, SelectionKey.OP_READ);
                PeerSocket peer = greeting.greet(socket, key);
                key.attach(peer);
                waiting.add(peer);
            } catch (IOException e) {
                JobCoordinator.closeSocket(socket);
            }
            if (waiting.size() > most) {
                JobCoordinator.closeSocket(waiting.removeFirst());
            }
        }
    }

    /// A connection has become that of a PE, or has ended.
    void remove(PeerSocket peer) {
        waiting.remove(peer);
    }

    /// Ends the connections that have had their time.
    void expire(long now) {
        while (!waiting.isEmpty() && now - waiting.getFirst().acceptedNanos > HANDSHAKE_NANOS) {
            JobCoordinator.closeSocket(waiting.removeFirst());
        }
        count = waiting.size();
    }

    /// Returns how many there were at the latest [#expire]. Any thread may ask.
    int count() {
        return count;
    }
}
