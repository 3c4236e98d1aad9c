// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import coterie.spi.PeState;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The server of a key-value exchange, such as a PMIx server: it gathers the values of all PEs in each fence, and
/// tells all PEs which of them have ended.
///
/// ```
///  PE to server    hello pe       values of a fence    state of the PE       failure report      abort
///  server to PE                   values of all PEs    state of a PE         state of a PE       abort
/// ```
final class KeyValueServer implements AutoCloseable {
    static final int VALUES = 1;
    static final int STATE = 2;
    static final int ABORT = 3;

    private final ServerSocket server;
    private final int size;
    private volatile boolean detects = true;
    private final List<DataOutputStream> peers = new ArrayList<>();

    /// Values by PE, in the fence that is under way.
    private final Map<Integer, byte[]> values = new TreeMap<>();

    KeyValueServer(int size) throws IOException {
        this.size = size;
        this.server = new ServerSocket(0, size, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    /// Leaves it to conduits to find that a process has ended.
    KeyValueServer withoutDetector() {
        detects = false;
        return this;
    }

    int port() {
        return server.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = server.accept();
                synchronized (this) {
                    peers.add(new DataOutputStream(socket.getOutputStream()));
                }
                Thread.ofPlatform().daemon().start(() -> serve(socket));
            }
        } catch (IOException e) {
            assertClosed(e);
        }
    }

    private void assertClosed(IOException e) {
        if (!server.isClosed()) {
            throw new AssertionError(e);
        }
    }

    private void serve(Socket socket) {
        int pe = -1;
        boolean isClosed = false;
        try (DataInputStream in = new DataInputStream(socket.getInputStream())) {
            pe = in.readInt();
            while (true) {
                int kind = in.readInt();
                int subject = in.readInt();
                byte[] bytes = in.readNBytes(in.readInt());
                switch (kind) {
                    case VALUES -> gather(pe, bytes);
                    case STATE -> {
                        isClosed = Arrays.equals(bytes, KeyValueJob.encoded(PeState.CLOSED));
                        send(kind, subject, bytes);
                    }
                    default -> send(kind, subject, bytes);
                }
            }
        } catch (EOFException | java.net.SocketException e) {
            // A process whose connection ends inside its world has failed; the server is not its parent.
            if (detects) {
                send(STATE, pe, KeyValueJob.encoded(isClosed ? PeState.ENDED : PeState.FAILED));
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void gather(int pe, byte[] bytes) {
        values.put(pe, bytes);
        if (values.size() == size) {
            values.forEach((each, its) -> send(VALUES, each, its));
            values.clear();
        }
    }

    private synchronized void send(int kind, int subject, byte[] bytes) {
        peers.removeIf(peer -> {
            try {
                peer.writeInt(kind);
                peer.writeInt(subject);
                peer.writeInt(bytes.length);
                peer.write(bytes);
                peer.flush();
                return false;
            } catch (IOException e) {
                return true; // its process has ended, and its own thread notes that
            }
        });
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
