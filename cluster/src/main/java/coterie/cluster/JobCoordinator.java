// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.CoterieException;
import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.spi.RuntimeThreads;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/// The coordinator of one job across hosts. It listens on a TCP port, admits processes that prove that they have
/// the secret of the [#key], and serves the PEs of the job: numbers, nodes, values and fences, how PEs ended and
/// in which order, aborts. One thread does all of it.
///
/// A launcher, PE 0, or any program that starts the processes of the job has the coordinator:
///
/// ```java
/// try (JobCoordinator coordinator = JobCoordinator.open(JobCoordinator.Options.of(4, address), listener)) {
///     coordinator.key().write(Path.of("job.key"));       // mode 0600; COTERIE_JOB_KEY=job.key for each process
///     ...                                                // starts four processes, waits for their ends
///     coordinator.exited(pe, exitCode);                  // for each, if it knows
/// }
/// ```
///
/// With [Encryption#tls] the connections are encrypted; otherwise the proof keeps strangers out, and does not hide
/// what PEs send from a reader of the network. Threads: any thread may call any method.
public final class JobCoordinator implements AutoCloseable {
    /// Connections that the system holds until the coordinator accepts them.
    private static final int BACKLOG = 1024;

    /// How long [#exited] waits for the last messages of a process that has ended.
    static final Duration LAST_MESSAGES = Duration.ofSeconds(1);

    private final JobKey key;
    private final JobEndListener ends;
    private final JobClock clock;
    private final CoordinatorLoop loop;
    private final Thread thread;

    private JobCoordinator(JobKey key, JobEndListener ends, JobClock clock, CoordinatorLoop loop) {
        this.key = key;
        this.ends = ends;
        this.clock = clock;
        this.loop = loop;
        this.thread = RuntimeThreads.daemon("coterie-coordinator", loop);
    }

    /// The parameters of a job.
    ///
    /// @param size number of PEs, in `[1, 2^20]`
    /// @param listen where the coordinator listens; PEs connect to the same address
    /// @param host name or address for the key, by which PEs reach `listen`
    /// @param heapBytes symmetric memory of each PE in bytes, or 0 for the least default of any PE
    /// @param silence a PE counts as failed if no message comes from it for this time; a PE sends four in it
    /// @param joinTimeout after this time the coordinator refuses the job if PEs are missing; zero for no limit
    /// @param reportsExits whether [#exited] reports the end of each process; if not, the end of its connection
    ///     counts as its end
    /// @param endsProcesses whether PEs end their processes after an abort, and when they lose the coordinator
    public record Options(
            int size,
            InetAddress listen,
            String host,
            long heapBytes,
            Duration silence,
            Duration joinTimeout,
            boolean reportsExits,
            boolean endsProcesses) {
        /// The default of `silence`.
        public static final Duration DEFAULT_SILENCE = Duration.ofSeconds(10);

        /// Checks the ranges.
        ///
        /// @throws IllegalArgumentException if a parameter is outside its range
        public Options {
            if (size < 1 || size > JobFrame.MAX_PES) {
                throw new IllegalArgumentException(
                        "coordinator: " + size + " PEs are outside [1, " + JobFrame.MAX_PES + "]");
            }
            if (heapBytes < 0 || silence.toMillis() < 1 || joinTimeout.isNegative()) {
                throw new IllegalArgumentException("coordinator: " + heapBytes + " bytes of symmetric memory, silence "
                        + silence + " and join timeout " + joinTimeout
                        + " must be at least 0 bytes, 1 ms and 0");
            }
            if (ListenAddress.isOfLink(listen)) {
                throw new IllegalArgumentException("coordinator: " + ListenAddress.ofLink(listen));
            }
        }

        /// Returns the parameters of a job whose processes a program starts that does not report their ends.
        public static Options of(int size, InetAddress listen) {
            String host = ListenAddress.withoutZone(listen).getHostAddress();
            return new Options(size, listen, host, 0, DEFAULT_SILENCE, Duration.ofMinutes(5), false, false);
        }

        /// Returns these parameters with another size of symmetric memory.
        ///
        /// @param bytes of each PE, or 0 for the least default of any PE
        /// @throws IllegalArgumentException if it is negative
        public Options withHeap(long bytes) {
            return new Options(size, listen, host, bytes, silence, joinTimeout, reportsExits, endsProcesses);
        }

        /// Returns the parameters of a job whose processes a program starts that does not report their ends.
        ///
        /// @param host name or address for the key, by which PEs reach `listen`
        /// @param settings by names without prefix; LINK_TIMEOUT_S and JOIN_TIMEOUT_S count here, and others
        ///     belong to the joins of PEs
        /// @throws IllegalArgumentException if a parameter is outside its range
        public static Options of(int size, InetAddress listen, String host, Map<String, String> settings) {
            Objects.requireNonNull(settings, "JobCoordinator.Options: settings is null");
            Options usual = of(size, listen);
            return new Options(
                    size,
                    listen,
                    host,
                    0,
                    settings.containsKey("LINK_TIMEOUT_S") ? ClusterSettings.silence(settings::get) : usual.silence,
                    settings.containsKey("JOIN_TIMEOUT_S")
                            ? ClusterSettings.joinTimeout(settings::get)
                            : usual.joinTimeout,
                    false,
                    false);
        }
    }

    /// Receives what happens in the job, in the thread of the coordinator; a method must not block. A launcher
    /// implements it.
    public interface Listener {
        /// A PE has opened or closed a world, or has joined the job.
        ///
        /// @param state STARTING, RUNNING or CLOSED
        default void changed(int pe, PeState state) {}

        /// A PE counts as ended, once for each PE.
        ///
        /// @param state ENDED or FAILED
        /// @param exitCode or [coterie.spi.PeJob#UNKNOWN_EXIT_CODE]
        /// @param reason one phrase if the exit code is unknown, else empty
        default void ended(int pe, PeState state, int exitCode, String reason) {}

        /// A PE has asked for an abort; called once.
        ///
        /// @param pe that has asked, or −1 for [JobCoordinator#abort]
        /// @param exitCode in `[0, 255]`
        default void aborted(int pe, int exitCode) {}

        /// The time to join is over, and PEs are missing; called once. Those that have joined get an exception.
        ///
        /// @param reason names the missing PEs, and the processes that were refused
        default void refused(String reason) {}
    }

    /// Makes the secret of a job, and begins to listen for its PEs; [#awaitEnd] tells how they end.
    ///
    /// @throws CoterieException if the address can't be listened on
    public static JobCoordinator open(Options options) {
        return open(options, new Listener() {});
    }

    /// Makes the secret of a job, and begins to listen for its PEs. The connections are not encrypted.
    ///
    /// @throws CoterieException if the address can't be listened on
    public static JobCoordinator open(Options options, Listener listener) {
        return open(options, listener, Encryption.none());
    }

    /// Makes the secret of a job, and begins to listen for its PEs, which have the same setting ENCRYPTION.
    ///
    /// @throws CoterieException if the address can't be listened on
    public static JobCoordinator open(Options options, Listener listener, Encryption encryption) {
        Objects.requireNonNull(options, "JobCoordinator.open: options is null");
        Objects.requireNonNull(listener, "JobCoordinator.open: listener is null");
        Objects.requireNonNull(encryption, "JobCoordinator.open: encryption is null");
        return open(options, listener, encryption, JobClock.SYSTEM, 0, JobKey.newSecret());
    }

    /// Begins to listen for the PEs of a job.
    ///
    /// @param wanted port, or 0 for any
    /// @param secret of the job
    static JobCoordinator open(
            Options options, Listener listener, Encryption encryption, JobClock clock, int wanted, byte[] secret) {
        try {
            ServerSocketChannel server = ServerSocketChannel.open();
            try {
                server.bind(new InetSocketAddress(options.listen, wanted), BACKLOG);
                int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
                JobKey key = JobKey.of(options.host, port, secret);
                JobEndListener ends = new JobEndListener(options.size, listener);
                JobCoordinator coordinator = new JobCoordinator(
                        key,
                        ends,
                        clock,
                        new CoordinatorLoop(server, key.secret(), encryption, options, ends, null, clock));
                coordinator.thread.start();
                return coordinator;
            } catch (IOException | RuntimeException e) {
                server.close();
                throw e;
            }
        } catch (IOException e) {
            throw new CoterieException(
                    "coordinator: can't listen on " + options.listen.getHostAddress()
                            + (wanted == 0 ? "; name an address of this machine: " : ", port " + wanted + ": ")
                            + e.getMessage(),
                    e);
        }
    }

    /// Goes on for a coordinator whose process has ended, where this process stood by.
    ///
    /// @param key of the job, with the address of the server
    static JobCoordinator resume(
            ServerSocketChannel server,
            JobKey key,
            Encryption encryption,
            Options options,
            Resumption resumption,
            JobClock clock)
            throws IOException {
        JobEndListener ends = new JobEndListener(options.size, new Listener() {});
        JobCoordinator coordinator = new JobCoordinator(
                key,
                ends,
                clock,
                new CoordinatorLoop(server, key.secret(), encryption, options, ends, resumption, clock));
        coordinator.thread.start();
        return coordinator;
    }

    /// Returns the key of the job.
    public JobKey key() {
        return key;
    }

    /// Waits until all PEs have ended, and tells how. A PE has ended with its process; a PE of a [WorldJoin],
    /// which has no process of its own, has with its world.
    ///
    /// @throws CoterieException if PEs have not joined in time, or this coordinator is closed meanwhile
    public JobEnd awaitEnd() throws InterruptedException {
        return ends.await();
    }

    /// Reports the end of the process of a PE. Returns after the coordinator has read the last messages of the
    /// process, has decided how the PE ended, and has called the listener, which takes 1 s at most. A PE that ends
    /// with exit code 0 inside a world has failed.
    ///
    /// @param exitCode 128 + n for signal n
    /// @throws InterruptedException if the calling thread is interrupted meanwhile; the report counts nevertheless
    public void exited(int pe, int exitCode) throws InterruptedException {
        CountDownLatch decided = exiting(pe, exitCode);
        // Twice the time: the coordinator itself has the deadline.
        if (!clock.await(decided, LAST_MESSAGES.multipliedBy(2)) && thread.isAlive()) {
            throw new IllegalStateException("exited: the coordinator does not answer for PE " + pe);
        }
    }

    /// Reports the end of the process of a PE.
    ///
    /// @return opens when the coordinator has decided how the PE ended
    CountDownLatch exiting(int pe, int exitCode) {
        CountDownLatch decided = new CountDownLatch(1);
        loop.execute(() -> loop.exited(pe, exitCode, decided));
        return decided;
    }

    /// Reports that a PE will never act again, although its process may still live: the PE counts as failed, and
    /// so it is told if its connection works.
    ///
    /// @param why one phrase, such as "its host does not answer"
    public void failed(int pe, String why) {
        loop.execute(() -> loop.fail(pe, why));
    }

    /// Asks all PEs to end, as [coterie.World#abort] does.
    ///
    /// @param exitCode in `[0, 255]`
    public void abort(int exitCode) {
        loop.execute(() -> loop.abort(PeerSocket.NO_PE, exitCode));
    }

    /// Returns the number of connections that have not joined.
    int strangers() {
        return loop.strangers();
    }

    /// Asks when the latest bytes of each PE came. The answer comes after all that the coordinator was told before.
    CompletableFuture<long[]> heardNanos() {
        CompletableFuture<long[]> heard = new CompletableFuture<>();
        loop.execute(() -> heard.complete(loop.heardNanos()));
        return heard;
    }

    /// Waits until no other PE needs this coordinator: each has ended, or has lost its connection.
    ///
    /// @param pe the PE of this process, which does not count
    /// @param timeout for the wait
    /// @return whether that was so within the time
    boolean awaitOthers(int pe, Duration timeout) throws InterruptedException {
        CountDownLatch alone = new CountDownLatch(1);
        loop.execute(() -> loop.whenAlone(pe, alone::countDown));
        return clock.await(alone, timeout);
    }

    /// Closes all connections and stops listening. PEs that still run count themselves as failed.
    @Override
    public void close() {
        loop.stop();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ends.closed();
    }

    /// Closes a socket; an error is one of the system.
    static void closeSocket(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a socket", e);
        }
    }

    @Override
    public String toString() {
        return "coordinator with the " + key;
    }
}
