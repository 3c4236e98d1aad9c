// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.spi.EncryptedChannel;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import org.jspecify.annotations.Nullable;

/// A connection before both ends have proved the secret of the job. It reads messages of a fixed size, and no
/// byte beyond the awaited message: what follows the last one belongs to the [TcpLink]. The thread of the
/// [Admission] alone uses it.
final class Handshake {
    static final int HELLO_BYTES = Long.BYTES + 3 * Integer.BYTES + ConnectionProof.NONCE_BYTES;
    static final int CHALLENGE_BYTES = ConnectionProof.NONCE_BYTES + ConnectionProof.PROOF_BYTES;
    static final int VERDICT_BYTES = 1;

    /// Begins each HELLO: "CoterTCP".
    private static final long MAGIC = 0x43_6f_74_65_72_54_43_50L;

    /// What comes next.
    enum Stage {
        /// initiator: the connection itself
        CONNECT(0),
        /// both, if they encrypt
        TLS(0),
        /// acceptor
        HELLO(HELLO_BYTES),
        /// initiator
        CHALLENGE(CHALLENGE_BYTES),
        /// acceptor
        PROOF(ConnectionProof.PROOF_BYTES),
        /// initiator
        VERDICT(VERDICT_BYTES);

        final int bytes;

        Stage(int bytes) {
            this.bytes = bytes;
        }
    }

    final SocketChannel socket;
    final SelectionKey key;

    /// The encrypted connection, if PEs encrypt; what messages pass.
    @Nullable
    EncryptedChannel encrypted;

    final long beganNanos;
    Stage stage;

    /// Number of the peer; what an initiator states is not proved yet. −1 before its HELLO.
    int pe;

    /// Which connection to the peer it becomes: 0 for the first one, or a number of a rail.
    int rail;

    byte[] hello = new byte[0];
    byte[] nonce = new byte[0];

    private ByteBuffer awaited;

    /// @param pe that this PE connects to, or −1 for a connection that it has accepted
    Handshake(SocketChannel socket, SelectionKey key, Stage stage, int pe, long nowNanos) {
        this.socket = socket;
        this.key = key;
        this.stage = stage;
        this.pe = pe;
        this.beganNanos = nowNanos;
        this.awaited = ByteBuffer.allocate(stage.bytes);
    }

    Route route() {
        return new Route(pe, rail);
    }

    /// Returns the next message, or null if it is not all here.
    ///
    /// @throws EOFException if the peer has closed the connection
    byte @Nullable [] read() throws IOException {
        if (channel().read(awaited) < 0) {
            throw new EOFException("the peer has closed it");
        }
        return awaited.hasRemaining() ? null : awaited.array();
    }

    /// Sends a message, for which the socket has room: no other is under way.
    void send(byte[]... parts) throws IOException {
        for (byte[] part : parts) {
            if (channel().write(ByteBuffer.wrap(part)) < part.length) {
                throw new IOException("the socket takes no message of " + part.length + " bytes");
            }
        }
    }

    private ByteChannel channel() {
        EncryptedChannel known = encrypted;
        return known == null ? socket : known;
    }

    /// Returns what the proofs have of the connection.
    byte[] binding() throws IOException {
        EncryptedChannel known = encrypted;
        return known == null ? new byte[0] : known.binding();
    }

    /// Returns whether a [#read] returns bytes that the selector does not announce.
    boolean hasInput() {
        EncryptedChannel known = encrypted;
        return known != null && known.hasInput();
    }

    void await(Stage next) {
        stage = next;
        awaited = ByteBuffer.allocate(next.bytes);
    }

    static byte[] hello(int from, int to, int rail, byte[] nonce) {
        return ByteBuffer.allocate(HELLO_BYTES)
                .putLong(MAGIC)
                .putInt(from)
                .putInt(to)
                .putInt(rail)
                .put(nonce)
                .array();
    }

    /// Returns the number of the PE that a HELLO states to come from.
    ///
    /// @throws IOException if it is no HELLO to this PE from another one of its job
    static int source(byte[] hello, int me, int size) throws IOException {
        ByteBuffer from = ByteBuffer.wrap(hello);
        long magic = from.getLong();
        int source = from.getInt();
        if (magic != MAGIC || from.getInt() != me || source < 0 || source >= size || source == me) {
            throw new IOException("no hello to PE " + me);
        }
        return source;
    }

    /// Returns which connection a HELLO asks for.
    static int rail(byte[] hello) {
        return ByteBuffer.wrap(hello).getInt(Long.BYTES + 2 * Integer.BYTES);
    }
}
