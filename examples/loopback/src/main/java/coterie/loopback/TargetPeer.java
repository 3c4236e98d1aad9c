// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/// The connection by which this PE sends requests to a peer, and the answers that it waits for, first come first.
final class TargetPeer {
    /// Parts that wait for the socket; the channel accepts no more operations then.
    private static final int MOST_PARTS = 256;

    private final SocketChannel socket;
    private final Receiver receiver;
    private final SendQueue requests;
    private final Deque<Awaited> awaited = new ArrayDeque<>();
    private final LongConsumer onDone;

    /// Bytes of the first awaited answer that have arrived, after its first byte; −1 before that.
    private long arrived = -1;

    private State state = State.OPEN;

    /// When and why the connection broke.
    private long brokenSinceNanos;

    private String failure = "";

    /// Whether a request has been sent since the latest quiet.
    private boolean isDirty;

    private enum State {
        OPEN,
        /// the peer has closed its world in good order
        CLOSED,
        BROKEN
    }

    /// An answer.
    ///
    /// @param result where its bytes go
    /// @param length of the bytes; 0 for the answer to a quiet
    /// @param wordBytes of the word that the answer is, or 0 if it is plain bytes
    private record Awaited(long ticket, MemorySegment result, long offset, long length, int wordBytes) {}

    /// @param onDone gets the tickets of operations that are done
    TargetPeer(SocketChannel socket, byte[] key, LongConsumer onDone) {
        this.socket = socket;
        this.receiver = new Receiver(socket);
        this.requests = new SendQueue(onDone);
        this.onDone = onDone;
        requests.add(key);
    }

    boolean accepts() {
        return requests.parts() < MOST_PARTS;
    }

    /// Sends a request without an answer.
    void send(PeerRequest request) {
        if (state == State.OPEN) {
            requests.add(request.encode());
            isDirty = true;
        }
    }

    /// Sends a put.
    ///
    /// @param ticket that is done when the source is copied
    void put(PeerRequest request, MemorySegment source, long offset, long ticket) {
        if (state == State.OPEN) {
            requests.add(request.encode());
            requests.add(source, offset, request.length(), ticket);
            isDirty = true;
        } else {
            onDone.accept(ticket);
        }
    }

    /// Sends a request whose answer goes to a segment.
    ///
    /// @param wordBytes of the word that the answer is, or 0 if it is plain bytes
    void fetch(PeerRequest request, MemorySegment result, long offset, long length, int wordBytes, long ticket) {
        requests.add(request.encode());
        awaited.add(new Awaited(ticket, result, offset, length, wordBytes));
    }

    /// Begins a quiet. Returns false if there is nothing to complete.
    boolean quiet(long ticket) {
        if (state != State.OPEN || (!isDirty && awaited.isEmpty())) {
            return false;
        }
        isDirty = false;
        requests.add(PeerRequest.copy(PeerRequest.Kind.QUIET, 0, 0).encode());
        awaited.add(new Awaited(ticket, MemorySegment.NULL, 0, 0, 0));
        return true;
    }

    /// Sends and receives what it can.
    void advance() {
        if (state != State.OPEN) {
            return;
        }
        try {
            requests.flush(socket);
            boolean more = true;
            while (more && state == State.OPEN) {
                more = receive();
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    /// The peer counts as failed: nothing more is sent to it, and nothing of what it sends counts.
    void drop() {
        if (state == State.OPEN) {
            fail(new IOException("the PE counts as failed"));
        }
    }

    /// The connection is broken.
    void fail(IOException why) {
        brokenSinceNanos = System.nanoTime();
        failure = String.valueOf(why.getMessage());
        end(State.BROKEN);
    }

    private boolean receive() throws IOException {
        if (arrived < 0) {
            ByteBuffer head = receiver.read(1);
            if (!head.hasRemaining()) {
                return false;
            }
            if (head.get() == ServedPeer.CLOSED) {
                end(State.CLOSED);
                return false;
            }
            arrived = 0;
        }
        Awaited first = awaited.element();
        if (first.wordBytes > 0) {
            ByteBuffer word = receiver.read(Long.BYTES);
            if (word.remaining() < Long.BYTES) {
                return false;
            }
            store(first, word.getLong());
        } else {
            arrived += receiver.copy(first.result, first.offset + arrived, first.length - arrived);
            if (arrived < first.length) {
                return false;
            }
        }
        arrived = -1;
        awaited.remove();
        onDone.accept(first.ticket);
        return true;
    }

    private static void store(Awaited to, long word) {
        MemorySegment result = to.result;
        switch (to.wordBytes) {
            case Long.BYTES -> result.set(JAVA_LONG_UNALIGNED, to.offset, word);
            case Integer.BYTES -> result.set(JAVA_INT_UNALIGNED, to.offset, (int) word);
            case Short.BYTES -> result.set(JAVA_SHORT_UNALIGNED, to.offset, (short) word);
            default -> result.set(JAVA_BYTE, to.offset, (byte) word);
        }
    }

    /// Completes what needs no answer of the peer. Fetches stay as they are: the runtime ends the wait for them.
    private void end(State last) {
        state = last;
        requests.clear();
        for (Awaited each : awaited) {
            if (each.length == 0) {
                onDone.accept(each.ticket);
            }
        }
        Sockets.close(socket);
    }

    /// Returns why the connection broke, if it did so at least that long ago; else null.
    @Nullable
    String brokenFor(long nanos) {
        return state == State.BROKEN && System.nanoTime() - brokenSinceNanos >= nanos ? failure : null;
    }

    boolean hasSent() {
        return state != State.OPEN || requests.isEmpty();
    }

    void close() {
        if (state == State.OPEN) {
            end(State.CLOSED);
        }
    }
}
