// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ScatteringByteChannel;
import org.jspecify.annotations.Nullable;

/// A further connection to a peer, which carries slices of long payloads and nothing else. The header of such a payload
/// travels with all other messages on the first connection, and says that its bytes are divided:
///
/// ```
///  first connection   header │ header, 4 connections │ slice 0 │ header …
///  rails 1 to 3                                        slice 1, slice 2, slice 3
/// ```
///
/// Both ends know which bytes each connection carries ([#sliceBytes]), and payloads come in the order of their headers,
/// so that slices need no header. The receiver applies no message behind the header before all slices are here: the
/// order of messages stays. A slice that comes before its header waits in the socket.
///
/// The engine's lock guards it.
final class Rail implements LinkReader {
    /// Payloads of so many bytes are divided.
    static final long LEAST_BYTES = 256 << 10;

    /// Most connections of two PEs.
    static final int MOST = 16;

    private static final long ALIGNMENT = 4096;

    final SendStream send;
    private final Payload payload;
    private final ReceiveStream first;

    /// Null before both ends have proved the secret of the job, and after the connection has ended.
    @Nullable
    TcpLink link;

    /// @param first of the first connection, whose headers say what arrives here
    Rail(SendStream send, Payload payload, ReceiveStream first) {
        this.send = send;
        this.payload = payload;
        this.first = first;
    }

    /// Returns the length of each slice but the last ones, which may be shorter or empty.
    ///
    /// @param length of the payload
    /// @param connections positive
    static long sliceBytes(long length, int connections) {
        return Math.ceilDiv(Math.ceilDiv(length, connections), ALIGNMENT) * ALIGNMENT;
    }

    /// Returns the length of a slice: 0 beyond the end of the payload.
    static long sliceBytes(long length, int connections, int slice) {
        long whole = sliceBytes(length, connections);
        return Math.clamp(length - slice * whole, 0, whole);
    }

    /// A slice arrives for this PE's memory.
    void expect(long place, long length) {
        payload.expect(place, length);
    }

    /// A slice arrives for the program's memory.
    void expect(MemorySegment to, long offset, long length) {
        payload.expect(to, offset, length);
    }

    @Override
    public boolean isReading() {
        return payload.missing() > 0;
    }

    @Override
    public boolean read(ScatteringByteChannel socket) throws IOException {
        for (int reads = 0; reads < MOST_READS && payload.missing() > 0; reads++) {
            ByteBuffer place = payload.place();
            int from = place.position();
            int offered = place.remaining();
            int count = socket.read(place);
            if (count < 0) {
                throw new EOFException("the peer has closed a connection");
            }
            if (count == 0) {
                return reads > 0;
            }
            payload.takePlaced(place, from);
            if (payload.missing() == 0) {
                first.endSlice();
                return true;
            }
            if (count < offered) {
                return true;
            }
        }
        return payload.missing() > 0;
    }
}
