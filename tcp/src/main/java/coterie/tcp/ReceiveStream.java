// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ScatteringByteChannel;

/// Reads the first connection of a peer: messages into a buffer, and the bytes of a long payload to the memory where
/// they belong.
///
/// ```
///  one read    rest of the payload ─► memory in place │ next messages ─► buffer
/// ```
///
/// Reading never waits for writing: a message is applied as soon as it is here, and an answer to it joins the
/// [SendStream], which [MessageReceiver] bounds. So two PEs that send to each other without end cannot stop each
/// other. Behind a payload of which [Rail]s bring slices, no message is applied before these are here. The engine's
/// lock guards everything.
final class ReceiveStream implements LinkReader {
    /// Many messages, and the most that a long payload is copied by the way of the buffer.
    private static final int BUFFER_BYTES = 16 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    private final MemorySegment buffered = MemorySegment.ofBuffer(buffer);
    private final ByteBuffer[] pair = {buffer, buffer};
    private final MessageReceiver receiver;
    private final TcpPeer peer;

    /// What is arriving on this connection; nothing is missing of it between messages.
    private final Payload payload;

    /// Bytes in the buffer that are not applied yet, from its begin on.
    private int kept;

    /// Slices of the payload that have not arrived on their rails.
    private int openSlices;

    ReceiveStream(TcpPeer peer, MessageReceiver receiver, Payload payload) {
        this.peer = peer;
        this.receiver = receiver;
        this.payload = payload;
    }

    @Override
    public boolean read(ScatteringByteChannel socket) throws IOException {
        for (int reads = 0; reads < MOST_READS; reads++) {
            if (!isReading()) {
                return reads > 0;
            }
            buffer.limit(BUFFER_BYTES).position(kept);
            long offered = buffer.remaining();
            long count;
            if (payload.missing() == 0) {
                count = socket.read(buffer);
            } else {
                ByteBuffer place = payload.place();
                int from = place.position();
                offered += place.remaining();
                pair[0] = place;
                count = socket.read(pair);
                takePlaced(place, from);
            }
            if (count < 0) {
                throw new EOFException("the peer has closed it");
            }
            if (count == 0) {
                return reads > 0;
            }
            takeMessages(buffer.position());
            if (count < offered) {
                return true;
            }
        }
        return true;
    }

    @Override
    public boolean isReading() {
        return payload.missing() > 0 || openSlices == 0;
    }

    private void takePlaced(ByteBuffer place, int from) {
        payload.takePlaced(place, from);
        endIfComplete();
    }

    private void endIfComplete() {
        if (payload.missing() == 0 && openSlices == 0) {
            receiver.endPayload();
        }
    }

    /// Applies the messages in the buffer, and keeps what is no whole one, or has to wait for a slice.
    private void takeMessages(int end) throws IOException {
        int at = 0;
        while (payload.missing() > 0 || (openSlices == 0 && end - at >= TcpMessage.HEADER_BYTES)) {
            if (payload.missing() == 0) {
                int header = at;
                at += TcpMessage.HEADER_BYTES;
                receiver.apply(buffer, header, this);
            }
            if (payload.missing() > 0) {
                int count = (int) Math.min(payload.missing(), end - at);
                payload.copy(buffered, at, count);
                at += count;
                if (payload.missing() > 0) {
                    break;
                }
                endIfComplete();
            }
        }
        kept = end - at;
        if (kept > 0 && at > 0) {
            MemorySegment.copy(buffered, at, buffered, 0, kept);
        }
    }

    /// A rail has brought its slice.
    void endSlice() throws IOException {
        openSlices--;
        endIfComplete();
        if (payload.missing() == 0) {
            takeMessages(kept);
        }
    }

    /// A payload follows for this PE's memory.
    ///
    /// @param place whose bytes the receiver has checked
    /// @param connections that carry its slices
    void expect(long place, long length, int connections) {
        long whole = Rail.sliceBytes(length, connections);
        payload.expect(place, Math.min(whole, length));
        for (int i = 1; i < connections; i++) {
            long slice = Rail.sliceBytes(length, connections, i);
            if (slice > 0) {
                openSlices++;
                peer.rails[i - 1].expect(place + i * whole, slice);
            }
        }
    }

    /// A payload follows for the program's memory.
    void expect(MemorySegment to, long offset, long length, int connections) {
        long whole = Rail.sliceBytes(length, connections);
        payload.expect(to, offset, Math.min(whole, length));
        for (int i = 1; i < connections; i++) {
            long slice = Rail.sliceBytes(length, connections, i);
            if (slice > 0) {
                openSlices++;
                peer.rails[i - 1].expect(to, offset + i * whole, slice);
            }
        }
    }
}
