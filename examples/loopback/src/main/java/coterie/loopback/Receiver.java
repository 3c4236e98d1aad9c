// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/// Reads a connection without waiting: headers of a fixed size, and bytes that go to a segment.
final class Receiver {
    private final SocketChannel socket;
    private final ByteBuffer stage = ByteBuffer.allocateDirect(1 << 16).limit(0);
    private final MemorySegment staged =
            MemorySegment.ofBuffer(stage.duplicate().clear());

    Receiver(SocketChannel socket) {
        this.socket = socket;
    }

    /// Returns a buffer with at least so many bytes, or with fewer if they have not arrived.
    ///
    /// @throws EOFException if the peer has closed the connection
    ByteBuffer read(int bytes) throws IOException {
        if (stage.remaining() < bytes) {
            stage.compact();
            int count = socket.read(stage);
            stage.flip();
            if (count < 0) {
                throw new EOFException("it was closed");
            }
        }
        return stage;
    }

    /// Copies bytes that have arrived to a segment. Returns their number, at most `length`.
    long copy(MemorySegment target, long offset, long length) throws IOException {
        ByteBuffer arrived = length > 0 ? read(1) : stage;
        long count = Math.min(length, arrived.remaining());
        MemorySegment.copy(staged, arrived.position(), target, offset, count);
        arrived.position(arrived.position() + (int) count);
        return count;
    }
}
