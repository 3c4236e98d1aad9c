// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/// A proxy between PEs and their coordinator. It can be cut as a cable is: the connections stay open, and no byte
/// passes until the cable is whole again, or until the test lets some bytes pass. It can drop connections.
final class FrozenProxy implements Closeable {
    /// The bytes that a whole cable lets pass.
    private static final int WHOLE = Integer.MAX_VALUE;

    private final ServerSocket server;
    private final JobKey key;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();

    /// How many bytes may pass, towards the coordinator and towards PEs.
    private final int[] budgets = {WHOLE, WHOLE};

    /// Threads that have bytes which may not pass.
    private int holders;

    /// Threads that write bytes which may pass.
    private int writers;

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

    /// Cuts the cable. No byte is on its way in the proxy then.
    synchronized void cut() {
        Arrays.fill(budgets, 0);
        boolean isInterrupted = false;
        while (writers > 0) {
            try {
                wait();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void mend() {
        Arrays.fill(budgets, WHOLE);
        notifyAll();
    }

    /// Lets a few bytes pass the cable in each direction, although it is cut.
    synchronized void pass(int bytes) {
        for (int each = 0; each < budgets.length; each++) {
            budgets[each] += bytes;
        }
        notifyAll();
    }

    /// Returns whether all bytes that may pass towards a PE have passed.
    synchronized boolean isSpent() {
        return budgets[1] == 0;
    }

    /// Returns whether bytes have come to the cut, in one direction at least.
    synchronized boolean holds() {
        return holders > 0;
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

    /// Waits until bytes may pass, and returns how many of them.
    private synchronized int take(int direction, int wanted) throws InterruptedException {
        holders++;
        while (budgets[direction] == 0) {
            wait();
        }
        holders--;
        writers++;
        return Math.min(wanted, budgets[direction]);
    }

    private synchronized void spend(int direction, int count) {
        writers--;
        if (budgets[direction] != WHOLE) {
            budgets[direction] = Math.max(0, budgets[direction] - count); // the cut may be later than the write
        }
        notifyAll();
    }

    private void accept() {
        try {
            while (true) {
                Socket pe = server.accept();
                Socket coordinator = new Socket();
                coordinator.connect(key.address());
                for (Socket each : new Socket[] {pe, coordinator}) {
                    each.setTcpNoDelay(true);
                    sockets.add(each);
                }
                Thread.ofPlatform().daemon().start(() -> pass(pe, coordinator, 0));
                Thread.ofPlatform().daemon().start(() -> pass(coordinator, pe, 1));
            }
        } catch (IOException e) {
            return; // the test has closed the proxy
        }
    }

    private void pass(Socket from, Socket to, int direction) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[8192];
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                for (int done = 0; done < count; ) {
                    int piece = take(direction, count - done);
                    try {
                        out.write(buffer, done, piece);
                    } finally {
                        spend(direction, piece);
                    }
                    done += piece;
                }
            }
            take(direction, 0); // the end passes as bytes do
            spend(direction, 0);
        } catch (IOException | InterruptedException e) {
            return; // one end is gone, and the other learns it by the close
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
