// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// A message between a coordinator and a PE: a length, a kind, and a body of fixed binary form. Numbers have the
/// most significant byte first; a text is its length as an `int` and UTF-8.
///
/// ```
///  bytes  0   length n of kind and body
///         4   kind
///         5   body, n − 1 bytes
///
///  coordinator to PE                                          PE to coordinator
///  ENCRYPTION magic 8, text                                   ENCRYPTION magic 8, text
///  CHALLENGE  magic 8, nonce 32                               PROOF   magic 8, nonce 32, proof 32
///  WELCOME    proof 32, silence ms                            JOIN    pe or −1, size or 0, heap bytes 8, node
///  REFUSED    text                                            VALUES  fence 8, bytes
///  START      pe, size, heap 8, flags, nodes, standbys        STATE   state
///  VALUES     pe, bytes                                       FAILED  pe, text
///  FENCED     fence 8                                         LEAVE   –
///  STATE      pe, state, exit code, order 8, text             ABORT   exit code
///  LEFT       pe, order 8                                     ALIVE   –
///  ABORT      exit code                                       RESUME  pe, state, abort code, ends of PEs
///  ALIVE      –
/// ```
///
/// RESUME stands for JOIN at a coordinator that takes over.
///
/// A coordinator that encrypts says so by ENCRYPTION, and all that follows is TLS; a PE that differs answers by its
/// own.
///
/// @param body of the message; each read moves its position
record JobFrame(Kind kind, ByteBuffer body) {
    /// Begins the first message of each end, and has the version of the protocol.
    static final byte[] MAGIC = "COTERIE\2".getBytes(StandardCharsets.US_ASCII);

    /// Bytes of the length.
    static final int HEADER_BYTES = Integer.BYTES;

    /// The length of a PROOF; a coordinator accepts no other length from a stranger.
    static final int PROOF_LENGTH = 1 + MAGIC.length + KeyProof.NONCE_BYTES + KeyProof.PROOF_BYTES;

    /// Bytes of values that a PE can store, keys included.
    static final int VALUE_BYTES = 1 << 16;

    /// The number of PEs in a JOIN of a process that does not know it.
    static final int ANY_SIZE = 0;

    /// The largest number of PEs of a job: START has four bytes for each.
    static final int MAX_PES = 1 << 20;

    /// The largest length of a message that a PE sends.
    static final int MAX_PE_LENGTH = VALUE_BYTES + 64;

    /// The largest length of a message that a coordinator sends.
    static final int MAX_COORDINATOR_LENGTH = Integer.BYTES * MAX_PES + MAX_PE_LENGTH;

    /// Longer texts are cut.
    private static final int MAX_TEXT_BYTES = 1024;

    private static final Kind[] KINDS = Kind.values();

    /// What a message is. The number on the wire is the position in this list.
    enum Kind {
        CHALLENGE,
        PROOF,
        WELCOME,
        REFUSED,
        JOIN,
        START,
        VALUES,
        FENCED,
        STATE,
        LEFT,
        FAILED,
        LEAVE,
        ABORT,
        ALIVE,
        ENCRYPTION,
        RESUME
    }

    /// Returns a message whose length and kind are known.
    ///
    /// @throws ProtocolException if there is no such kind
    static JobFrame of(byte kind, byte[] body) throws ProtocolException {
        if (kind < 0 || kind >= KINDS.length) {
            throw new ProtocolException("there is no message of kind " + kind);
        }
        return new JobFrame(KINDS[kind], ByteBuffer.wrap(body));
    }

    /// Returns the next number of the body.
    int number() throws ProtocolException {
        require(Integer.BYTES);
        return body.getInt();
    }

    /// Returns the next number of 64 bits.
    long longNumber() throws ProtocolException {
        require(Long.BYTES);
        return body.getLong();
    }

    /// Returns the next bytes of the body.
    byte[] bytes(int count) throws ProtocolException {
        require(count);
        byte[] bytes = new byte[count];
        body.get(bytes);
        return bytes;
    }

    /// Returns all bytes that are left.
    byte[] rest() {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return bytes;
    }

    /// Returns the next text, without control characters, since it may go to a terminal.
    String text() throws ProtocolException {
        int length = number();
        if (length < 0 || length > MAX_TEXT_BYTES) {
            throw new ProtocolException("a text of " + length + " bytes is outside [0, " + MAX_TEXT_BYTES + "]");
        }
        return new String(bytes(length), StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", " ");
    }

    /// Checks the kind of a message.
    void require(Kind expected) throws ProtocolException {
        if (kind != expected) {
            throw new ProtocolException("it sends " + kind + " instead of " + expected);
        }
    }

    private void require(int bytes) throws ProtocolException {
        if (bytes < 0 || body.remaining() < bytes) {
            throw new ProtocolException("a message of kind " + kind + " ends too early");
        }
    }

    /// Checks that all of the body was read.
    void end() throws ProtocolException {
        if (body.hasRemaining()) {
            throw new ProtocolException("a message of kind " + kind + " has " + body.remaining() + " bytes too many");
        }
    }

    /// Builds a message.
    static final class Builder {
        private ByteBuffer buffer = ByteBuffer.allocate(64);

        Builder(Kind kind) {
            buffer.position(HEADER_BYTES).put((byte) kind.ordinal());
        }

        private ByteBuffer room(int bytes) {
            if (buffer.remaining() < bytes) {
                int capacity = Math.max(2 * buffer.capacity(), buffer.position() + bytes);
                buffer = ByteBuffer.allocate(capacity).put(buffer.flip());
            }
            return buffer;
        }

        Builder number(int number) {
            room(Integer.BYTES).putInt(number);
            return this;
        }

        Builder number(long number) {
            room(Long.BYTES).putLong(number);
            return this;
        }

        Builder bytes(byte[] bytes) {
            room(bytes.length).put(bytes);
            return this;
        }

        Builder text(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            byte[] kept = bytes.length <= MAX_TEXT_BYTES ? bytes : Arrays.copyOf(bytes, MAX_TEXT_BYTES);
            return number(kept.length).bytes(kept);
        }

        /// Returns the bytes of the message, from length on.
        ByteBuffer build() {
            buffer.flip();
            return buffer.putInt(0, buffer.limit() - HEADER_BYTES);
        }
    }

    /// Collects the bytes of a connection into messages. It holds no more than one message and one read.
    static final class Reader {
        private byte[] held = new byte[256];
        private int from;
        private int to;
        private int maxLength;

        /// @param maxLength of a message; see [#allow]
        Reader(int maxLength) {
            this.maxLength = maxLength;
        }

        /// Sets the largest length of the messages that follow.
        void allow(int maxLength) {
            this.maxLength = maxLength;
        }

        /// Takes all bytes of a buffer.
        void add(ByteBuffer bytes) {
            int count = bytes.remaining();
            System.arraycopy(held, from, held, 0, to - from);
            to -= from;
            from = 0;
            if (held.length - to < count) {
                held = Arrays.copyOf(held, Math.max(2 * held.length, to + count));
            }
            bytes.get(held, to, count);
            to += count;
        }

        /// Returns the next message, or null if it has not arrived as a whole.
        ///
        /// @throws ProtocolException if its length or its kind is not allowed
        @Nullable
        JobFrame next() throws ProtocolException {
            if (to - from < HEADER_BYTES) {
                return null;
            }
            int length = ByteBuffer.wrap(held).getInt(from);
            if (length < 1 || length > maxLength) {
                throw new ProtocolException("a message of " + length + " bytes is outside [1, " + maxLength + "]");
            }
            int body = from + HEADER_BYTES + 1;
            int end = from + HEADER_BYTES + length;
            if (to < end) {
                return null;
            }
            from = end;
            return of(held[body - 1], Arrays.copyOfRange(held, body, end));
        }
    }
}
