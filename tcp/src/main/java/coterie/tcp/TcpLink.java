// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.spi.EncryptedChannel;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A connection to a peer, both ends of which have proved the secret of the job: the first one, or a [Rail]. The
/// engine's lock guards it.
final class TcpLink {
    final TcpPeer peer;
    final SocketChannel socket;
    private final SendStream send;
    private final LinkReader reader;
    private final SelectionKey key;

    /// What bytes pass if PEs encrypt; else they pass the socket itself.
    private final @Nullable EncryptedChannel encrypted;

    /// @param key of the selector that the agent waits for
    TcpLink(
            TcpPeer peer,
            SendStream send,
            LinkReader reader,
            SocketChannel socket,
            @Nullable EncryptedChannel encrypted,
            SelectionKey key) {
        this.peer = peer;
        this.send = send;
        this.reader = reader;
        this.socket = socket;
        this.encrypted = encrypted;
        this.key = key;
    }

    /// Reads what has arrived. Returns whether that is anything.
    boolean read() throws IOException {
        return reader.read(encrypted == null ? socket : encrypted);
    }

    /// Sends as much as the socket takes. Returns whether that is all.
    boolean write() throws IOException {
        if (encrypted == null) {
            return send.write(socket);
        }
        return encrypted.flush() && send.write(encrypted) && encrypted.isDrained();
    }

    /// Returns whether something has to be sent.
    boolean hasOutput() {
        return !send.isEmpty() || (encrypted != null && !encrypted.isDrained());
    }

    /// Returns whether a [#read] returns bytes that no selector announces.
    boolean hasInput() {
        return encrypted != null && encrypted.hasInput();
    }

    /// Makes no wait end any more.
    ///
    /// @param ready the other selector that may have the connection
    void leaveSelectors(Selector ready) {
        key.cancel();
        SelectionKey other = socket.keyFor(ready);
        if (other != null) {
            other.cancel();
        }
    }

    /// Makes the agent's wait end when bytes have arrived, or when the socket takes some of those that wait for
    /// it.
    void awaitEvents() {
        int wanted = (reader.isReading() ? SelectionKey.OP_READ : 0) | (hasOutput() ? SelectionKey.OP_WRITE : 0);
        if (key.interestOps() != wanted) {
            key.interestOps(wanted);
        }
    }
}
