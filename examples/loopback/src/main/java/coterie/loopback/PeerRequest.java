// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.AtomicOperation;
import java.nio.ByteBuffer;

/// A request of an initiator to a target. A PUT is followed by its bytes; the target answers a GET, a GET_WORD, an
/// ATOMIC, a SWAP and a QUIET, in the order of the requests.
///
/// @param bytes of the word
/// @param operand of an atomic operation, or the value to store
/// @param expected of a SWAP
/// @param length of a PUT or GET
record PeerRequest(
        Kind kind, AtomicOperation operation, int bytes, long remote, long operand, long expected, long length) {
    static final int BYTES = 3 * Integer.BYTES + 4 * Long.BYTES;

    enum Kind {
        PUT,
        GET,
        WORD,
        GET_WORD,
        ATOMIC,
        UPDATE,
        SWAP,
        QUIET
    }

    static PeerRequest copy(Kind kind, long remote, long length) {
        return new PeerRequest(kind, AtomicOperation.FETCH, 0, remote, 0, 0, length);
    }

    static PeerRequest word(Kind kind, AtomicOperation operation, long operand, int bytes, long remote) {
        return new PeerRequest(kind, operation, bytes, remote, operand, 0, 0);
    }

    byte[] encode() {
        return ByteBuffer.allocate(BYTES)
                .putInt(kind.ordinal())
                .putInt(operation.ordinal())
                .putInt(bytes)
                .putLong(remote)
                .putLong(operand)
                .putLong(expected)
                .putLong(length)
                .array();
    }

    static PeerRequest decode(ByteBuffer from) {
        return new PeerRequest(
                Kind.values()[from.getInt()],
                AtomicOperation.values()[from.getInt()],
                from.getInt(),
                from.getLong(),
                from.getLong(),
                from.getLong(),
                from.getLong());
    }
}
