// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.AtomicOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/// A connection that a peer has opened: this PE executes the peer's requests, one after another, and answers. The
/// peer first sends the key of this PE.
final class ServedPeer {
    /// First byte of an answer, and the last byte of a connection.
    static final byte ANSWER = 1;

    static final byte CLOSED = 2;

    /// Answers that a peer has not fetched; it serves no more requests then.
    private static final int MOST_ANSWERS = 256;

    private final SocketChannel socket;
    private final Receiver receiver;
    private final OwnMemory memory;
    private final byte[] key;
    private final SendQueue answers = new SendQueue(ticket -> {});
    private boolean isAdmitted;

    /// The put whose bytes are arriving, or null, and the number of those that have arrived.
    private @Nullable PeerRequest put;

    private long arrived;

    ServedPeer(SocketChannel socket, OwnMemory memory, byte[] key) {
        this.socket = socket;
        this.receiver = new Receiver(socket);
        this.memory = memory;
        this.key = key;
    }

    /// Serves what has arrived. Returns whether the connection goes on.
    boolean serve() {
        try {
            boolean more = true;
            while (more && answers.parts() < MOST_ANSWERS) {
                more = put != null ? takeBytes(put) : isAdmitted ? takeRequest() : admit();
            }
            answers.flush(socket);
            return true;
        } catch (IOException e) {
            close();
            return false;
        }
    }

    private boolean admit() throws IOException {
        ByteBuffer hello = receiver.read(key.length);
        if (hello.remaining() < key.length) {
            return false;
        }
        byte[] its = new byte[key.length];
        hello.get(its);
        if (!MessageDigest.isEqual(its, key)) {
            throw new IOException("the caller does not know the key");
        }
        isAdmitted = true;
        return true;
    }

    private boolean takeRequest() throws IOException {
        ByteBuffer arrivedBytes = receiver.read(PeerRequest.BYTES);
        if (arrivedBytes.remaining() < PeerRequest.BYTES) {
            return false;
        }
        PeerRequest request = PeerRequest.decode(arrivedBytes);
        switch (request.kind()) {
            case PUT -> {
                put = request;
                arrived = 0;
            }
            case GET -> {
                answers.add(new byte[] {ANSWER});
                answers.add(memory.segment(request.remote()), OwnMemory.offset(request.remote()), request.length(), 0);
            }
            case WORD -> memory.apply(AtomicOperation.SWAP, request.operand(), request.remote(), request.bytes());
            case GET_WORD -> answer(memory.apply(AtomicOperation.FETCH, 0, request.remote(), request.bytes()));
            case ATOMIC -> answer(apply(request));
            case UPDATE -> apply(request);
            case SWAP ->
                answer(memory.compareAndSwap(request.expected(), request.operand(), request.remote(), request.bytes()));
            case QUIET -> answers.add(new byte[] {ANSWER});
        }
        return true;
    }

    private long apply(PeerRequest request) {
        AtomicOperation operation = request.operation();
        return memory.apply(operation, request.operand(), request.remote(), request.bytes());
    }

    private boolean takeBytes(PeerRequest request) throws IOException {
        long left = request.length() - arrived;
        long count =
                receiver.copy(memory.segment(request.remote()), OwnMemory.offset(request.remote()) + arrived, left);
        arrived += count;
        if (count == left) {
            put = null;
        }
        return count > 0 || left == 0;
    }

    private void answer(long word) {
        answers.add(
                ByteBuffer.allocate(1 + Long.BYTES).put(ANSWER).putLong(word).array());
    }

    /// Tells the peer that this PE's world ends in good order.
    void sayClosed() {
        answers.add(new byte[] {CLOSED});
    }

    boolean hasSent() {
        return answers.isEmpty();
    }

    void close() {
        Sockets.close(socket);
    }
}
