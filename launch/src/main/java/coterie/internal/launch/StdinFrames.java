// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;

/// The protocol that carries the input of several PEs through the one pipe to their host. A frame is `pe` and
/// `length`, of 32 bits each, and then `length` bytes; a frame of length 0 ends the PE's input.
final class StdinFrames {
    private StdinFrames() {}

    /// The launcher's end of the pipe.
    static final class Writer {
        private final DataOutputStream pipe;

        Writer(OutputStream pipe) {
            this.pipe = new DataOutputStream(pipe);
        }

        /// Returns the stream that carries the input of `pe`.
        OutputStream of(int pe) {
            return new PeOutput(pe);
        }

        private synchronized void frame(int pe, byte[] bytes, int offset, int length) throws IOException {
            pipe.writeInt(pe);
            pipe.writeInt(length);
            pipe.write(bytes, offset, length);
        }

        private synchronized void flush() throws IOException {
            pipe.flush();
        }

        private final class PeOutput extends OutputStream {
            private final int pe;
            private boolean closed;

            PeOutput(int pe) {
                this.pe = pe;
            }

            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                if (closed) {
                    throw new IOException("the input of PE " + pe + " is closed");
                }
                if (length > 0) {
                    frame(pe, bytes, offset, length);
                }
            }

            @Override
            public void flush() throws IOException {
                Writer.this.flush();
            }

            @Override
            public void close() throws IOException {
                if (!closed) {
                    closed = true;
                    frame(pe, new byte[0], 0, 0);
                    flush();
                }
            }
        }
    }

    /// The host's end of the pipe: a thread that distributes frames, so that a PE that does not read blocks no
    /// other PE.
    static final class Reader extends Thread {
        private final DataInputStream pipe;
        private final PeInput[] inputs;

        Reader(InputStream pipe, int pes) {
            super("input of all PEs");
            setDaemon(true);
            this.pipe = new DataInputStream(pipe);
            this.inputs = new PeInput[pes];
            for (int pe = 0; pe < pes; pe++) {
                inputs[pe] = new PeInput();
            }
        }

        /// Returns the stream that `pe` reads.
        InputStream of(int pe) {
            return inputs[pe];
        }

        @Override
        public void run() {
            try {
                while (true) {
                    int pe = pipe.readInt();
                    inputs[pe].arrived.add(pipe.readNBytes(pipe.readInt()));
                }
            } catch (EOFException e) {
                for (PeInput input : inputs) {
                    input.arrived.add(new byte[0]);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("reading the input of the PEs", e);
            }
        }
    }

    private static final class PeInput extends InputStream {
        private final LinkedBlockingQueue<byte[]> arrived = new LinkedBlockingQueue<>();
        private byte[] current = new byte[0];
        private int position;
        private boolean ended;

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public synchronized int read(byte[] bytes, int offset, int length) throws IOException {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            if (position == current.length && !next()) {
                return -1;
            }
            int got = Math.min(length, current.length - position);
            System.arraycopy(current, position, bytes, offset, got);
            position += got;
            return got;
        }

        private boolean next() throws IOException {
            if (ended) {
                return false;
            }
            try {
                current = arrived.take();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while reading", e);
            }
            position = 0;
            ended = current.length == 0;
            return !ended;
        }

        @Override
        public synchronized int available() {
            return current.length - position;
        }
    }
}
