// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.GatheringByteChannel;
import java.nio.channels.ScatteringByteChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// A non-blocking connection over TLS. Reads and writes take and give the bytes of the program, as far as they go
/// without a wait.
///
/// ```
///  write: sources ─► a record each 16 KiB ─► leaving ─► socket
///  read:  targets ◄─ a record each 16 KiB ◄─ arrived ◄─ socket
///             ▲────── plain ◄─┘  a record for which the targets have too little room
/// ```
///
/// A record is decrypted straight to the targets, if they have room for all of it. Two states have no counterpart in a
/// socket, and each is a question to the channel: bytes that a write has taken may still have to leave ([#isDrained]),
/// and bytes may be here that the socket does not announce any more ([#hasInput]).
///
/// Threads: one at a time.
public final class EncryptedChannel implements ByteChannel, GatheringByteChannel, ScatteringByteChannel {
    /// Records that leave or arrive by one call of the system, where there are so many.
    private static final int MOST_RECORDS = 8;

    private static final int RECORD_BYTES = 1 << 14;

    private final SocketChannel socket;
    private final SSLEngine engine;

    /// Bytes of a record with all that TLS adds.
    private final int packetBytes;

    /// Its bytes to be decrypted are between position and limit.
    private ByteBuffer arrived;

    /// Its bytes to be sent are before the position.
    private ByteBuffer leaving;

    /// Decrypted bytes that nothing has taken, between position and limit.
    private ByteBuffer plain = ByteBuffer.allocate(0);

    private final ByteBuffer[] none = {};
    private final ByteBuffer[] one = new ByteBuffer[1];
    private final ByteBuffer[] onePlain = new ByteBuffer[1];

    /// Whether what has arrived is no whole record.
    private boolean isPartial;

    /// Whether TLS itself has something to send.
    private boolean hasToAnswer;

    /// @param engine whose handshake has begun
    EncryptedChannel(SocketChannel socket, SSLEngine engine) {
        this.socket = socket;
        this.engine = engine;
        this.packetBytes = engine.getSession().getPacketBufferSize();
        this.arrived = ByteBuffer.allocate(packetBytes).limit(0);
        this.leaving = ByteBuffer.allocate(packetBytes);
    }

    /// Advances the handshake. Returns whether it is complete, and all of it has left.
    ///
    /// @throws EOFException if the peer has closed the connection
    /// @throws SSLException if there will be no encrypted connection
    public boolean handshake() throws IOException {
        while (true) {
            HandshakeStatus status = engine.getHandshakeStatus();
            switch (status) {
                case NEED_TASK -> runTasks();
                case NEED_WRAP -> answer();
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    SSLEngineResult result = unwrap(none, 0, 0);
                    if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                        if (!flush()) {
                            return false;
                        }
                        int count = fill();
                        if (count < 0) {
                            throw new EOFException("the peer has closed it");
                        }
                        if (count == 0) {
                            return false;
                        }
                    } else if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                        throw new EOFException("the peer has ended TLS");
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return flush();
                }
            }
        }
    }

    /// Returns what the proofs of both ends are about, see [Encryption#binding]; after the handshake.
    public byte[] binding() throws SSLException {
        return Encryption.binding(engine.getSession());
    }

    /// Returns whether all that was written has left.
    public boolean isDrained() {
        return leaving.position() == 0 && !hasToAnswer;
    }

    /// Sends what the socket takes of the bytes that have to leave. Returns whether it was all.
    public boolean flush() throws IOException {
        if (hasToAnswer) {
            answer();
        }
        if (leaving.position() > 0) {
            socket.write(leaving.flip());
            leaving.compact();
        }
        return isDrained();
    }

    /// Returns whether bytes are here that a read returns without the socket, or whether there may be such bytes.
    public boolean hasInput() {
        return plain.hasRemaining() || (arrived.hasRemaining() && !isPartial);
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        one[0] = Objects.requireNonNull(target, "EncryptedChannel: target is null");
        return (int) read(one, 0, 1);
    }

    @Override
    public long read(ByteBuffer[] targets) throws IOException {
        return read(targets, 0, targets.length);
    }

    /// Reads what has arrived. Returns fewer bytes than there is room for only if no more have arrived.
    ///
    /// @return the number of bytes; −1 if there are none and the peer has closed the connection
    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long read = 0;
        while (true) {
            read += take(targets, offset, length);
            if (!hasRemaining(targets, offset, length)) {
                return read;
            }
            SSLEngineResult result = unwrap(targets, offset, length);
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_OVERFLOW) {
                result = unwrapToPlain(); // TLS looks for room first, so that the record may not be all here
            } else {
                read += result.bytesProduced();
            }
            if (hasToAnswer) {
                answer(); // before it TLS reads no more
            }
            if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                return read > 0 ? read : -1;
            }
            if (result.getStatus() == SSLEngineResult.Status.BUFFER_UNDERFLOW) {
                int count = fill();
                if (count <= 0) {
                    return read > 0 ? read : count;
                }
            }
        }
    }

    private SSLEngineResult unwrapToPlain() throws SSLException {
        if (plain.capacity() == 0) {
            plain = ByteBuffer.allocate(packetBytes);
        }
        onePlain[0] = plain.clear();
        SSLEngineResult result = unwrap(onePlain, 0, 1);
        plain.flip();
        return result;
    }

    private long take(ByteBuffer[] targets, int offset, int length) {
        long taken = 0;
        for (int i = offset; i < offset + length && plain.hasRemaining(); i++) {
            int count = Math.min(plain.remaining(), targets[i].remaining());
            targets[i].put(targets[i].position(), plain, plain.position(), count);
            targets[i].position(targets[i].position() + count);
            plain.position(plain.position() + count);
            taken += count;
        }
        return taken;
    }

    private static boolean hasRemaining(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    private SSLEngineResult unwrap(ByteBuffer[] targets, int offset, int length) throws SSLException {
        try {
            return noted(engine.unwrap(arrived, targets, offset, length));
        } catch (SSLException e) {
            alert(e);
            throw e;
        }
    }

    private SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length) throws IOException {
        try {
            SSLEngineResult result = noted(engine.wrap(sources, offset, length, leaving));
            if (result.getStatus() == SSLEngineResult.Status.CLOSED && result.bytesProduced() == 0) {
                throw new EOFException("the peer has ended TLS");
            }
            return result;
        } catch (SSLException e) {
            alert(e);
            throw e;
        }
    }

    /// Takes note of what a step leaves to do.
    private SSLEngineResult noted(SSLEngineResult result) {
        HandshakeStatus status = result.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            runTasks();
            status = engine.getHandshakeStatus();
        }
        hasToAnswer = status == HandshakeStatus.NEED_WRAP;
        return result;
    }

    private void runTasks() {
        for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    /// Reads the socket. Returns what the socket does.
    private int fill() throws IOException {
        arrived.compact();
        int count = socket.read(arrived);
        boolean isFull = !arrived.hasRemaining();
        arrived.flip();
        isPartial = count <= 0;
        if (isFull && arrived.capacity() < MOST_RECORDS * packetBytes) {
            arrived =
                    ByteBuffer.allocate(MOST_RECORDS * packetBytes).put(arrived).flip();
        }
        return count;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        one[0] = Objects.requireNonNull(source, "EncryptedChannel: source is null");
        return (int) write(one, 0, 1);
    }

    @Override
    public long write(ByteBuffer[] sources) throws IOException {
        return write(sources, 0, sources.length);
    }

    /// Takes as many bytes as leave without a wait, and some more, which a later [#flush] sends. Taken bytes may
    /// change.
    ///
    /// @return the number of bytes
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        long taken = 0;
        while (flush() && hasRemaining(sources, offset, length)) {
            room(sources, offset, length);
            while (leaving.remaining() >= packetBytes && hasRemaining(sources, offset, length)) {
                taken += wrap(sources, offset, length).bytesConsumed();
            }
        }
        return taken;
    }

    /// Makes the buffer as large as what has to leave, within the limit.
    private void room(ByteBuffer[] sources, int offset, int length) {
        long bytes = 0;
        for (int i = offset; i < offset + length; i++) {
            bytes += sources[i].remaining();
        }
        long records = Math.min(MOST_RECORDS, (bytes + RECORD_BYTES - 1) / RECORD_BYTES);
        if (leaving.capacity() < records * packetBytes) {
            leaving = ByteBuffer.allocate(MOST_RECORDS * packetBytes); // it is empty
        }
    }

    /// Encrypts what TLS itself has to send, for which there is always room: reading must not wait for writing.
    private void answer() throws IOException {
        makeRoomForRecord();
        wrap(none, 0, 0);
    }

    private void makeRoomForRecord() {
        if (leaving.remaining() < packetBytes) {
            leaving = ByteBuffer.allocate(leaving.capacity() + packetBytes).put(leaving.flip());
        }
    }

    /// After an error the peer gets the reason, if the socket takes it.
    private void alert(SSLException why) {
        try {
            makeRoomForRecord();
            engine.wrap(none, 0, 0, leaving);
            socket.write(leaving.flip());
        } catch (IOException e) { // the connection ends without it
            if (!e.equals(why)) {
                why.addSuppressed(e);
            }
        }
    }

    @Override
    public boolean isOpen() {
        return socket.isOpen();
    }

    /// Closes the socket. The end of a conversation is that of the protocol above TLS.
    @Override
    public void close() throws IOException {
        socket.close();
    }
}
