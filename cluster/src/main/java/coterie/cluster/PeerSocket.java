// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.cluster.JobFrame.Kind;
import coterie.spi.EncryptedChannel;
import coterie.spi.Encryption;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A connection that a coordinator has accepted. It begins as that of a stranger, of whom the coordinator accepts
/// a proof of the secret and nothing else; after the proof it is a *member*, and after its JOIN it has the number
/// of a PE.
final class PeerSocket implements Closeable {
    /// The number of a connection before its JOIN.
    static final int NO_PE = -1;

    private final SocketChannel socket;
    private final SelectionKey key;
    private final byte[] secret;

    /// The encrypted connection, if the coordinator encrypts; what messages pass.
    private final @Nullable EncryptedChannel encrypted;

    private final ByteChannel channel;
    private boolean isSecured;
    private final int silenceMillis;
    private final JobClock clock;
    private final byte[] nonce = KeyProof.nonce();
    private final JobFrame.Reader reader = new JobFrame.Reader(JobFrame.PROOF_LENGTH);
    private final Deque<ByteBuffer> unsent = new ArrayDeque<>();

    /// When the coordinator accepted the connection.
    final long acceptedNanos;

    /// When the latest bytes came from it, and when the latest bytes were about to be sent to it.
    long heardNanos;

    long sentNanos;

    /// The number of the PE, or [#NO_PE].
    int pe = NO_PE;

    /// Whether the PE counts as failed although its process may live: its messages have no effect.
    boolean isFenced;

    /// The error of a send; the connection is of no use any more.
    @Nullable
    IOException failure;

    private boolean isMember;
    private boolean endsAfterLastMessage;

    /// Sends a challenge to a new connection, or states that TLS comes first.
    ///
    /// @param silenceMillis the time after which a PE that sends nothing counts as failed
    PeerSocket(
            SocketChannel socket,
            SelectionKey key,
            byte[] secret,
            Encryption encryption,
            int silenceMillis,
            JobClock clock)
            throws IOException {
        this.socket = socket;
        this.key = key;
        this.secret = secret;
        this.silenceMillis = silenceMillis;
        this.clock = clock;
        this.acceptedNanos = clock.nanoTime();
        this.heardNanos = acceptedNanos;
        this.sentNanos = acceptedNanos;
        this.encrypted = encryption.isOn() ? encryption.accept(socket) : null;
        this.channel = encrypted == null ? socket : encrypted;
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
        if (encrypted == null) {
            challenge();
        } else {
            ByteBuffer greeting = new JobFrame.Builder(Kind.ENCRYPTION)
                    .bytes(JobFrame.MAGIC)
                    .text(encryption.value())
                    .build();
            if (socket.write(greeting) == 0 || greeting.hasRemaining()) {
                throw new IOException("a new connection takes no greeting");
            }
        }
    }

    private void challenge() throws IOException {
        isSecured = true;
        send(new JobFrame.Builder(Kind.CHALLENGE)
                .bytes(JobFrame.MAGIC)
                .bytes(nonce)
                .build());
    }

    /// Advances the handshake of TLS, after which the challenge follows. Returns whether it is complete.
    private boolean secure(EncryptedChannel unsecured) throws IOException {
        boolean isComplete;
        try {
            isComplete = unsecured.handshake();
        } catch (SSLException e) {
            throw new ProtocolException("it and this coordinator, which has ENCRYPTION=tls, begin no TLS: "
                    + e.getMessage() + "; its ENCRYPTION may be none");
        }
        if (isComplete) {
            challenge();
        } else {
            key.interestOps(SelectionKey.OP_READ | (unsecured.isDrained() ? 0 : SelectionKey.OP_WRITE));
        }
        return isComplete;
    }

    /// Returns the address of its host, for messages.
    String host() {
        return socket.socket().getInetAddress().getHostAddress();
    }

    /// Returns whether the connection has proved that it has the secret.
    boolean isMember() {
        return isMember;
    }

    /// Returns whether the connection ends as soon as its last message is sent.
    boolean isEnding() {
        return endsAfterLastMessage;
    }

    /// Reads what has arrived into `buffer` and from there into messages.
    ///
    /// @throws EOFException if the peer has closed the connection
    void read(ByteBuffer buffer) throws IOException {
        EncryptedChannel unsecured = encrypted;
        if (!isSecured && unsecured != null && !secure(unsecured)) {
            return;
        }
        // A stranger is read no further than its proof, so that noise costs neither memory nor time.
        buffer.clear().limit(isMember ? buffer.capacity() : JobFrame.HEADER_BYTES + JobFrame.PROOF_LENGTH);
        int count = channel.read(buffer);
        if (count < 0) {
            throw new EOFException("the connection was closed");
        }
        if (count > 0) {
            heardNanos = clock.nanoTime();
            reader.add(buffer.flip());
        }
    }

    /// Returns whether a [#read] returns bytes that the selector does not announce.
    boolean hasInput() {
        return isSecured && encrypted != null && encrypted.hasInput();
    }

    /// Returns the next message of a member, or null. The proof of a stranger is checked here.
    ///
    /// @throws ProtocolException if it breaks the protocol, or has not the secret
    @Nullable
    JobFrame next() throws IOException {
        JobFrame frame = reader.next();
        if (frame == null || isMember) {
            return frame;
        }
        if (frame.kind() == Kind.ENCRYPTION) {
            frame.bytes(JobFrame.MAGIC.length);
            throw new ProtocolException("it has ENCRYPTION=" + frame.text() + ", and this coordinator has none");
        }
        if (frame.kind() != Kind.PROOF || frame.body().remaining() != JobFrame.PROOF_LENGTH - 1) {
            throw new ProtocolException("its first message is no proof");
        }
        byte[] magic = frame.bytes(JobFrame.MAGIC.length);
        byte[] its = frame.bytes(KeyProof.NONCE_BYTES);
        byte[] proof = frame.bytes(KeyProof.PROOF_BYTES);
        byte[] binding = encrypted == null ? new byte[0] : encrypted.binding();
        boolean isRight = KeyProof.isRight(proof, KeyProof.Role.PE, secret, nonce, its, binding);
        if (!Arrays.equals(magic, JobFrame.MAGIC) || !isRight) {
            throw new ProtocolException("it has not the secret of the job");
        }
        isMember = true;
        reader.allow(JobFrame.MAX_PE_LENGTH);
        send(new JobFrame.Builder(Kind.WELCOME)
                .bytes(KeyProof.of(KeyProof.Role.COORDINATOR, secret, nonce, its, binding))
                .number(silenceMillis)
                .build());
        return reader.next();
    }

    /// Sends a message, as far as the connection takes it now; [#flush] sends the rest.
    void send(ByteBuffer message) throws IOException {
        if (!endsAfterLastMessage) {
            unsent.add(message.duplicate());
            flush();
        }
    }

    /// Sends the reason why the connection ends, and ends it when this message is sent.
    void refuse(String why) throws IOException {
        ByteBuffer message = new JobFrame.Builder(Kind.REFUSED).text(why).build();
        unsent.add(message);
        endsAfterLastMessage = true;
        flush();
    }

    /// Sends what the connection takes.
    ///
    /// @throws EOFException after the last message of a connection that ends
    void flush() throws IOException {
        EncryptedChannel sending = encrypted;
        if (!isSecured && sending != null) {
            secure(sending);
            return;
        }
        ByteBuffer first = unsent.peek();
        while (first != null) {
            long now = clock.nanoTime(); // no later than the peer can have it
            if (channel.write(first) > 0) {
                sentNanos = now;
            }
            if (first.hasRemaining()) {
                key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                return;
            }
            unsent.remove();
            first = unsent.peek();
        }
        if (sending != null && !sending.flush()) {
            key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
            return;
        }
        key.interestOps(SelectionKey.OP_READ);
        if (endsAfterLastMessage) {
            socket.shutdownOutput(); // the peer reads the reason before it sees the end
        }
    }

    @Override
    public void close() throws IOException {
        key.cancel();
        socket.close();
    }
}
