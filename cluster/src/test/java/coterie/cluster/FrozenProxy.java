// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A proxy between PEs and their coordinator. It can be cut as a cable is: the connections stay open, and no byte
/// passes until the cable is whole again. It can delay what passes, in pieces of few bytes, and drop connections.
final class FrozenProxy implements Closeable {
    private final ServerSocket server;
    private final JobKey key;
    private final Random random = new Random(27);
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private boolean isCut;
    private volatile int delayMillis;

    FrozenProxy(JobKey key) throws IOException {
        this.key = key;
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    /// Returns the key with the address of this proxy.
    JobKey key() {
        String place = "address " + server.getInetAddress().getHostAddress() + ":" + server.getLocalPort();
        return JobKey.parse(key.text().replaceFirst("address .*", place), "the proxy");
    }

    synchronized void cut() {
        isCut = true;
    }

    synchronized void mend() {
        isCut = false;
        notifyAll();
    }

    /// Delays each piece of up to 7 bytes by up to this time, from now on.
    void delay(int millis) {
        delayMillis = millis;
    }

    /// Ends all connections, as a firewall that has restarted does.
    void drop() throws IOException {
        for (Socket each : sockets) {
            each.setSoLinger(true, 0); // a reset
        }
        for (Socket each : sockets) { // the end of one ends others
            each.close();
        }
    }

    private synchronized void awaitWhole() throws InterruptedException {
        while (isCut) {
            wait();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket pe = server.accept();
                Socket coordinator = new Socket();
                coordinator.connect(key.address());
                sockets.add(pe);
                sockets.add(coordinator);
                Thread.ofPlatform().daemon().start(() -> pass(pe, coordinator));
                Thread.ofPlatform().daemon().start(() -> pass(coordinator, pe));
            }
        } catch (IOException e) {
            return; // the test has closed the proxy
        }
    }

    private void pass(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                awaitWhole();
                write(out, buffer, count);
            }
            awaitWhole();
        } catch (IOException | InterruptedException e) {
            return; // one end is gone, and the other learns it by the close
        }
    }

    private void write(OutputStream out, byte[] buffer, int count) throws IOException, InterruptedException {
        int done = 0;
        while (done < count) {
            int delay = delayMillis;
            int piece = delay == 0 ? count - done : Math.min(count - done, 1 + random.nextInt(7));
            if (delay > 0) {
                Thread.sleep(random.nextInt(delay)); // the delay of this proxy
            }
            out.write(buffer, done, piece);
            done += piece;
        }
    }

    @Override
    public void close() throws IOException {
        mend();
        server.close();
        for (Socket each : sockets) {
            each.close();
        }
    }
}
