// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.nio.ByteBuffer;

/// The header of a message; the bytes of a PUT, a PUT_SIGNAL or a BYTES follow.
///
/// ```
///  byte 0      1        2       3             4   8        16        24       32       40
///       │ kind │ detail │ width │ connections │ 0 │ remote │ operand │ second │ length │
/// ```
///
/// | field | meaning |
/// |---|---|
/// | detail | ordinal of an atomic operation, or of a signal's update |
/// | width | bytes of the word |
/// | connections | that carry the bytes: 1, or this one and the rails |
/// | remote | place at the receiver: region and offset, see [ReachableMemory] |
/// | operand | of the operation; the old word of a WORD |
/// | second | expected word of a COMPARE_AND_SWAP; place of the signal of a PUT_SIGNAL |
/// | length | of the bytes that follow, or that a GET asks for |
///
/// Numbers are little-endian. An answer names no request: answers come in the order of the requests.
final class TcpMessage {
    static final int HEADER_BYTES = 40;

    private static final int DETAIL = 1;
    private static final int WIDTH = 2;
    private static final int CONNECTIONS = 3;
    private static final int REMOTE = 8;
    private static final int OPERAND = 16;
    private static final int SECOND = 24;
    private static final int LENGTH = 32;

    private static final Kind[] KINDS = Kind.values();

    private TcpMessage() {}

    /// What a message asks for, or answers.
    enum Kind {
        /// the bytes go to memory
        PUT,
        /// the bytes go to memory, and then a signal is updated
        PUT_SIGNAL,
        /// the answer is BYTES
        GET,
        /// a word is updated
        UPDATE,
        /// a word is updated, and the answer is a WORD
        ATOMIC,
        /// the answer is a WORD
        COMPARE_AND_SWAP,
        /// the answer is QUIETED, which says that all messages before have been applied
        QUIET,
        /// the source's world ends in good order; the answer is RELEASED
        CLOSED,
        RELEASED,
        WORD,
        BYTES,
        QUIETED
    }

    static void write(ByteBuffer to, int at, Kind kind, int detail, int width, long remote, long operand) {
        long words = kind.ordinal() | ((long) detail << Byte.SIZE) | ((long) width << (2 * Byte.SIZE));
        to.putLong(at, words | (1L << (CONNECTIONS * Byte.SIZE)));
        to.putLong(at + REMOTE, remote);
        to.putLong(at + OPERAND, operand);
        to.putLong(at + SECOND, 0);
        to.putLong(at + LENGTH, 0);
    }

    static void second(ByteBuffer to, int at, long second) {
        to.putLong(at + SECOND, second);
    }

    static void length(ByteBuffer to, int at, long length) {
        to.putLong(at + LENGTH, length);
    }

    static void connections(ByteBuffer to, int at, int connections) {
        to.put(at + CONNECTIONS, (byte) connections);
    }

    /// @throws IndexOutOfBoundsException if no version of this class has written the header
    static Kind kind(ByteBuffer from, int at) {
        return KINDS[from.get(at)];
    }

    static int detail(ByteBuffer from, int at) {
        return from.get(at + DETAIL);
    }

    static int width(ByteBuffer from, int at) {
        return from.get(at + WIDTH);
    }

    static int connections(ByteBuffer from, int at) {
        return from.get(at + CONNECTIONS);
    }

    static long remote(ByteBuffer from, int at) {
        return from.getLong(at + REMOTE);
    }

    static long operand(ByteBuffer from, int at) {
        return from.getLong(at + OPERAND);
    }

    static long second(ByteBuffer from, int at) {
        return from.getLong(at + SECOND);
    }

    static long length(ByteBuffer from, int at) {
        return from.getLong(at + LENGTH);
    }
}
