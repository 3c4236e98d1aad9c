// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.testing.Patience;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/// A coordinator and PEs of it in one process, for tests of the job alone. They have one clock, which stands until
/// the test moves it.
final class TestJob implements AutoCloseable {
    static final Duration SILENCE = Duration.ofSeconds(8);

    /// The coordinator and each PE send a message in this time.
    static final Duration QUARTER = SILENCE.dividedBy(CoordinatorLoop.MESSAGES_PER_SILENCE);

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /// Of the coordinator and of the PEs, unless the job is [#inRealTime].
    final ManualClock clock = new ManualClock();

    private final JobClock its;
    private final Encryption encryption;
    final JobCoordinator coordinator;
    final ConcurrentLinkedQueue<String> events = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    TestJob(int size, boolean reportsExits) {
        this(size, reportsExits, Duration.ZERO);
    }

    TestJob(int size, boolean reportsExits, Duration joinTimeout) {
        this.its = clock;
        this.encryption = Encryption.none();
        this.coordinator = open(size, reportsExits, joinTimeout, SILENCE);
    }

    private TestJob(int size, Duration silence, Encryption encryption, Duration joinTimeout) {
        this.its = JobClock.SYSTEM;
        this.encryption = encryption;
        this.coordinator = open(size, true, joinTimeout, silence);
    }

    /// A job by the clock of the system that encrypts.
    static TestJob encrypted(int size, Encryption encryption, Duration joinTimeout) {
        return new TestJob(size, Duration.ofHours(1), encryption, joinTimeout);
    }

    /// A job by the clock of the system.
    static TestJob inRealTime(int size, Duration silence) {
        return new TestJob(size, silence, Encryption.none(), Duration.ZERO);
    }

    private JobCoordinator open(int size, boolean reportsExits, Duration joinTimeout, Duration silence) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return JobCoordinator.open(
                new JobCoordinator.Options(
                        size, loopback, loopback.getHostAddress(), 0, silence, joinTimeout, reportsExits, false),
                new JobCoordinator.Listener() {
                    @Override
                    public void changed(int pe, PeState state) {
                        events.add(pe + " " + state);
                    }

                    @Override
                    public void ended(int pe, PeState state, int exitCode, String reason) {
                        events.add(pe + " " + state + " " + exitCode + " " + reason);
                    }

                    @Override
                    public void aborted(int pe, int exitCode) {
                        events.add(pe + " aborts with " + exitCode);
                    }
                },
                encryption,
                its,
                0,
                JobKey.newSecret());
    }

    Future<ClusterJob> joining(int pe) {
        return joining(pe, place("node " + pe / 2), 1L << (20 + Math.max(0, pe)));
    }

    Future<ClusterJob> joining(int pe, ProcessPlace place, long heapBytes) {
        return threads.submit(() -> ClusterJob.join(
                coordinator.key(),
                encryption,
                "the coordinator",
                pe,
                JobFrame.ANY_SIZE,
                place,
                heapBytes,
                TIMEOUT,
                true,
                null,
                its));
    }

    /// Joins a PE over the link.
    Future<ClusterJob> joining(FrozenProxy proxy, int pe, JobClock its) {
        return threads.submit(() -> ClusterJob.join(
                proxy.key(),
                encryption,
                "the coordinator",
                pe,
                JobFrame.ANY_SIZE,
                place("far"),
                1 << 20,
                TIMEOUT,
                true,
                null,
                its));
    }

    static ProcessPlace place(String node) {
        return new ProcessPlace(node, 2, "0-1");
    }

    <T> Future<T> submit(Callable<T> task) {
        return threads.submit(task);
    }

    /// Joins all PEs.
    List<ClusterJob> all(int size) throws Exception {
        List<Future<ClusterJob>> joining =
                IntStream.range(0, size).mapToObj(this::joining).toList();
        List<ClusterJob> jobs = new ArrayList<>();
        for (Future<ClusterJob> each : joining) {
            jobs.add(get(each));
        }
        return jobs;
    }

    static <T> T get(Future<T> future) throws Exception {
        try {
            return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    /// Cuts the link of a PE. What had passed it has arrived then, so that the silence begins at the present time.
    ///
    /// @param its the PE's clock
    void cut(FrozenProxy proxy, ManualClock its) {
        proxy.cut();
        its.awaitLooks();
        for (int round = 0; round < 2; round++) { // the second begins after the first has ended
            coordinator.heardNanos().join();
        }
    }

    /// Moves the clock by a quarter of the silence, and waits until these PEs and the coordinator have heard of each
    /// other since.
    void quarter(ClusterJob... living) {
        clock.advance(QUARTER);
        awaitHeard(living);
    }

    /// Waits until these PEs and the coordinator have heard of each other at the present time.
    void awaitHeard(ClusterJob... living) {
        long now = clock.nanoTime();
        Patience.until("messages", () -> {
            long[] heard = coordinator.heardNanos().join();
            return Arrays.stream(living).allMatch(each -> each.heardNanos() == now && heard[each.pe()] == now);
        });
    }

    @Override
    public void close() {
        coordinator.close();
        threads.shutdownNow();
    }
}
