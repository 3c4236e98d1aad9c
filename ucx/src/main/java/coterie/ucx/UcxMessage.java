// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.libucp.NativeMemory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

/// The header of an active message; a payload may follow.
///
/// ```
///  byte 0      1        2       4        8        16        24        32       40       48
///       │ kind │ detail │ bytes │ source │ remote │ operand │ second  │ reply  │ after  │
/// ```
///
/// | field | meaning |
/// |---|---|
/// | detail | ordinal of an atomic operation, or of a signal's update |
/// | bytes | of the word |
/// | source | PE that has sent the message |
/// | remote | address at the receiver |
/// | operand | of the operation; bytes of a GET; number of messages of a QUIET; old word of a WORD |
/// | second | expected word of a COMPARE_AND_SWAP; address of the signal of a PUT_SIGNAL |
/// | reply | ticket of the sender's operation that the answer completes; 0 for none |
/// | after | the receiver applies the message after so many counted messages of the source |
final class UcxMessage {
    static final int HEADER_BYTES = 48;

    /// The most bytes after a header: with the header and UCX's own they fit a segment of every transport.
    static final int PAYLOAD_BYTES = 2048;

    private static final long DETAIL = 1;
    private static final long WIDTH = 2;
    private static final long SOURCE = 4;
    private static final long REMOTE = 8;
    private static final long OPERAND = 16;
    private static final long SECOND = 24;
    private static final long REPLY = 32;
    private static final long AFTER = 40;

    private static final Kind[] KINDS = Kind.values();

    private UcxMessage() {}

    /// What a message asks for, or answers.
    enum Kind {
        /// the payload goes to memory
        PUT,
        /// the payload goes to memory, and then a signal is updated
        PUT_SIGNAL,
        /// the answer is BYTES
        GET,
        /// the answer, if the message asks for one, is a WORD
        ATOMIC,
        COMPARE_AND_SWAP,
        /// the answer is QUIETED, once so many counted messages have been applied
        QUIET,
        /// the source's world ends in good order; the answer is RELEASED
        CLOSED,
        /// the source will send nothing more to a PE whose world ends
        RELEASED,
        WORD,
        BYTES,
        QUIETED
    }

    static void write(long at, Kind kind, int detail, int bytes, int source, long remote, long operand) {
        ALL.set(JAVA_BYTE, at, (byte) kind.ordinal());
        ALL.set(JAVA_BYTE, at + DETAIL, (byte) detail);
        ALL.set(JAVA_BYTE, at + WIDTH, (byte) bytes);
        ALL.set(JAVA_INT_UNALIGNED, at + SOURCE, source);
        ALL.set(JAVA_LONG_UNALIGNED, at + REMOTE, remote);
        ALL.set(JAVA_LONG_UNALIGNED, at + OPERAND, operand);
        ALL.set(JAVA_LONG_UNALIGNED, at + SECOND, 0);
        ALL.set(JAVA_LONG_UNALIGNED, at + REPLY, 0);
        ALL.set(JAVA_LONG_UNALIGNED, at + AFTER, 0);
    }

    static void second(long at, long second) {
        ALL.set(JAVA_LONG_UNALIGNED, at + SECOND, second);
    }

    static void reply(long at, long ticket) {
        ALL.set(JAVA_LONG_UNALIGNED, at + REPLY, ticket);
    }

    static void after(long at, long messages) {
        ALL.set(JAVA_LONG_UNALIGNED, at + AFTER, messages);
    }

    /// @throws ArrayIndexOutOfBoundsException if no version of this class has written the header
    static Kind kind(long at) {
        return KINDS[ALL.get(JAVA_BYTE, at)];
    }

    static int detail(long at) {
        return ALL.get(JAVA_BYTE, at + DETAIL);
    }

    static int bytes(long at) {
        return ALL.get(JAVA_BYTE, at + WIDTH);
    }

    static int source(long at) {
        return ALL.get(JAVA_INT_UNALIGNED, at + SOURCE);
    }

    static long remote(long at) {
        return ALL.get(JAVA_LONG_UNALIGNED, at + REMOTE);
    }

    static long operand(long at) {
        return ALL.get(JAVA_LONG_UNALIGNED, at + OPERAND);
    }

    static long second(long at) {
        return ALL.get(JAVA_LONG_UNALIGNED, at + SECOND);
    }

    static long reply(long at) {
        return ALL.get(JAVA_LONG_UNALIGNED, at + REPLY);
    }

    static long after(long at) {
        return ALL.get(JAVA_LONG_UNALIGNED, at + AFTER);
    }

    /// Returns whether both sides count the message, so that a quiet can wait until it has been applied.
    static boolean isCounted(long at) {
        Kind kind = kind(at);
        return kind == Kind.PUT || kind == Kind.PUT_SIGNAL || (kind == Kind.ATOMIC && reply(at) == 0);
    }
}
