// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.Encryption;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where a PE goes when it has lost the coordinator: to the first PE of those that stand by and have not ended. That PE
/// is the coordinator as soon as it has lost the former one itself.
///
/// ```
///  PE 0 has the coordinator ─► its process ends ─► PE 1 listens where it said at its join, the others connect
///                                                  │ they tell what they know: own state, ends and their order
///                                                  ▼
///                              all have come, or the time is over ─► PE 0 and those that are missing count as failed
/// ```
///
/// The time is that of two silences: a PE that does not see the end of its connection learns of it by the first.
///
/// That a connection has ended does not say that the process has: a network may have parted, and then two parts of the
/// job would go on, each without the other. So a PE takes over only if the system of the former coordinator's host says
/// that nothing listens there any more.
///
/// The thread that receives calls it.
final class Takeover implements Closeable {
    private static final int ASK_MILLIS = 1000;
    private static final Duration RETRY_PAUSE = Duration.ofMillis(50);

    private final JobKey key;
    private final Encryption encryption;
    private final int me;
    private final int size;
    private final List<StandbyPlace> places;
    private final @Nullable ServerSocketChannel server;
    private final Consumer<JobCoordinator> host;
    private final long silenceNanos;
    private final JobClock clock;

    /// The place of the coordinator that this PE has, or has had last; −1 for the first one.
    private int current = -1;

    /// @param key of the first coordinator
    /// @param places in the order in which they take over
    /// @param server of this PE, if it is one of them
    /// @param host gets the coordinator that this PE opens
    Takeover(
            JobKey key,
            Encryption encryption,
            int me,
            int size,
            List<StandbyPlace> places,
            @Nullable ServerSocketChannel server,
            Consumer<JobCoordinator> host,
            long silenceNanos,
            JobClock clock) {
        this.key = key;
        this.encryption = encryption;
        this.me = me;
        this.size = size;
        this.places = places;
        this.server = server;
        this.host = host;
        this.silenceNanos = silenceNanos;
        this.clock = clock;
    }

    /// Begins to listen where a PE stands by.
    static ServerSocketChannel listen(InetAddress address) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open();
        boolean isBound = false;
        try {
            server.bind(new InetSocketAddress(address, 0));
            isBound = true;
            return server;
        } finally {
            if (!isBound) {
                server.close();
            }
        }
    }

    /// Returns what has the coordinator now, for messages.
    String description() {
        return current < 0
                ? "PE 0, which has the coordinator,"
                : "PE " + places.get(current).pe() + ", which has taken over the coordinator,";
    }

    /// Returns a connection to the coordinator that takes over, or null if none does.
    @Nullable
    JobLink next(JobView view) {
        for (int i = current + 1; i < places.size(); i++) {
            StandbyPlace place = places.get(i);
            if (view.state(place.pe()).hasTerminated()) {
                continue;
            }
            if (place.pe() == me) {
                return open(i);
            }
            JobKey its = JobKey.of(place.host(), place.port(), key.secret());
            long end = clock.nanoTime() + 3 * silenceNanos; // it may lose the coordinator by its silence, later than I
            while (clock.nanoTime() < end) {
                try {
                    JobLink link = JobLink.open(its, encryption, clock);
                    current = i;
                    return link;
                } catch (JobLink.RefusedException e) {
                    return null;
                } catch (IOException e) {
                    if (isRefusal(e)) {
                        break; // its process has ended, too
                    }
                }
                try {
                    clock.sleep(RETRY_PAUSE);
                } catch (InterruptedException e) {
                    return null; // this PE's job is closed
                }
            }
            if (clock.nanoTime() >= end) {
                return null; // it lives, or nothing can be said of it
            }
        }
        return null;
    }

    private @Nullable JobLink open(int place) {
        ServerSocketChannel mine = server;
        if (mine == null || !mine.isOpen()) {
            return null;
        }
        StandbyPlace its = places.get(place);
        int former = current < 0 ? 0 : places.get(current).pe();
        if (!isGone(current < 0 ? key.address() : address(places.get(current)))) {
            return null;
        }
        try {
            JobCoordinator coordinator = JobCoordinator.resume(
                    mine,
                    JobKey.of(its.host(), its.port(), key.secret()),
                    encryption,
                    new JobCoordinator.Options(
                            size,
                            mine.socket().getInetAddress(),
                            its.host(),
                            0,
                            Duration.ofNanos(silenceNanos),
                            Duration.ZERO,
                            false,
                            true),
                    new Resumption(size, me, former, 2 * silenceNanos, clock),
                    clock);
            host.accept(coordinator);
            current = place;
            return JobLink.open(coordinator.key(), encryption, clock);
        } catch (IOException | JobLink.RefusedException e) {
            return null;
        }
    }

    private static InetSocketAddress address(StandbyPlace place) {
        return new InetSocketAddress(place.host(), place.port());
    }

    /// Returns whether the system at an address says that nothing listens there. A process that ends closes its
    /// connections and what listens one after another, so that a connection to it may still begin: it lives only if
    /// a coordinator answers.
    private boolean isGone(InetSocketAddress address) {
        long end = clock.nanoTime() + silenceNanos;
        try {
            while (clock.nanoTime() < end) {
                try (Socket socket = new Socket()) {
                    socket.connect(address, ASK_MILLIS);
                    socket.setSoTimeout(ASK_MILLIS);
                    if (socket.getInputStream().read() >= 0) {
                        return false; // it lives
                    }
                } catch (IOException e) {
                    if (isRefusal(e)) {
                        return true;
                    }
                }
                clock.sleep(RETRY_PAUSE);
            }
        } catch (InterruptedException e) {
            return false; // this PE's job is closed
        }
        return false;
    }

    private static boolean isRefusal(IOException e) {
        return e instanceof SocketException && "Connection refused".equals(e.getMessage());
    }

    @Override
    public void close() {
        if (server != null) {
            JobCoordinator.closeSocket(server);
        }
    }
}
