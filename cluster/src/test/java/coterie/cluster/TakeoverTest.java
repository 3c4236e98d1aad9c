// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.testing.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Jobs whose PE 0 has the coordinator, and ends: its connections, and what listens. Here PEs are objects of one JVM.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class TakeoverTest {
    private static final Duration SILENCE = Duration.ofSeconds(3);

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final BlockingQueue<JobCoordinator> taken = new LinkedBlockingQueue<>();
    private final List<ClusterJob> jobs = new ArrayList<>();
    private JobCoordinator first;
    private FrozenProxy proxy;

    private void start(int size) throws Exception {
        start(size, false);
    }

    /// @param isBetween whether a proxy is between PE 0 and the others
    private void start(int size, boolean isBetween) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        first = JobCoordinator.open(
                new JobCoordinator.Options(
                        size, loopback, loopback.getHostAddress(), 0, SILENCE, Duration.ZERO, false, false),
                new JobCoordinator.Listener() {},
                Encryption.none(),
                JobClock.SYSTEM,
                0,
                JobKey.newSecret());
        proxy = new FrozenProxy(first.key());
        List<Future<ClusterJob>> joining = new ArrayList<>();
        for (int pe = 0; pe < size; pe++) {
            int number = pe;
            joining.add(threads.submit(() -> ClusterJob.join(
                    number > 0 && isBetween ? proxy.key() : first.key(),
                    Encryption.none(),
                    "PE 0, which has the coordinator,",
                    number,
                    size,
                    TestJob.place("node"),
                    1 << 20,
                    Duration.ofSeconds(20),
                    false,
                    StandbyPlace.isOf(number) ? (coordinator, job) -> taken.add(coordinator) : null,
                    JobClock.SYSTEM)));
        }
        for (Future<ClusterJob> each : joining) {
            jobs.add(each.get());
        }
        jobs.forEach(job -> job.state(PeState.RUNNING));
        awaitAll(0, size, PeState.RUNNING, 0);
    }

    @AfterEach
    void close() throws IOException {
        jobs.forEach(ClusterJob::close);
        taken.forEach(JobCoordinator::close);
        first.close();
        proxy.close();
        threads.shutdownNow();
    }

    /// The process of a PE ends, and with it the coordinator that it has.
    private void kill(int pe, JobCoordinator its) {
        its.close();
        jobs.get(pe).close();
    }

    /// Waits until PEs know that others are in a state.
    private void awaitAll(int from, int to, PeState state, int first) {
        for (int pe = first; pe < jobs.size(); pe++) {
            for (int other = from; other < to; other++) {
                int which = other;
                ClusterJob job = jobs.get(pe);
                if (which != pe) {
                    Patience.until("PE " + which + " is " + state + " for PE " + pe, () -> job.state(which) == state);
                }
            }
        }
    }

    @Test
    @DisplayName("the end of PE 0 is that of one PE: the others learn of it, and of what happens after it")
    void goesOn() throws Exception {
        start(4);
        kill(0, first);
        awaitAll(0, 1, PeState.FAILED, 1);
        for (ClusterJob job : jobs.subList(1, 4)) {
            assertThat(job.failureReason(0)).contains("its process, which had the coordinator, ended");
            assertThat(job.endOrder(0)).isEqualTo(1);
            assertThat(job.state(job.pe())).isEqualTo(PeState.RUNNING);
        }
        jobs.get(2).failed(3, "a test says so");
        awaitAll(3, 4, PeState.FAILED, 1);
        assertThat(jobs.get(1).endOrder(3)).isEqualTo(2);
        jobs.get(2).leave();
        Patience.until("PE 1 knows that PE 2 has left", () -> jobs.get(1).endOrder(2) == 3);
        jobs.get(1).abort(7);
        Patience.until("PE 2 knows of the abort", () -> jobs.get(2).abortCode().isPresent());
    }

    @Test
    @DisplayName("what happens while there is no coordinator is not lost, and a state is heard before the PE may end")
    void nothingIsLost() throws Exception {
        start(4);
        ClusterJob reporter = jobs.get(3);
        first.close(); // its sockets are closed, so that messages go nowhere
        jobs.getFirst().close();
        reporter.failed(2, "it was seen to fail");
        jobs.get(1).state(PeState.CLOSED);
        awaitAll(2, 3, PeState.FAILED, 3);
        Patience.until("PE 3 knows that PE 1 has closed", () -> reporter.state(1) == PeState.CLOSED);
        assertThat(reporter.failureReason(2)).contains("it was seen to fail");
    }

    @Test
    @DisplayName("when the PE that has taken over ends, the next one takes over")
    void again() throws Exception {
        start(5);
        kill(0, first);
        awaitAll(0, 1, PeState.FAILED, 1);
        kill(1, taken.take());
        awaitAll(1, 2, PeState.FAILED, 2);
        kill(2, taken.take());
        awaitAll(2, 3, PeState.FAILED, 3);
        assertThat(jobs.get(4).endOrder(0)).isEqualTo(1);
        assertThat(jobs.get(4).endOrder(1)).isEqualTo(2);
        assertThat(jobs.get(4).endOrder(2)).isEqualTo(3);
        kill(3, taken.take());
        Patience.until("PE 4 has lost the last that stood by", () -> jobs.get(4).state(4) == PeState.FAILED);
    }

    @Test
    @DisplayName("a PE that ends with PE 0 does not come, and counts as failed within the time")
    void missing() throws Exception {
        start(4);
        jobs.get(3).close();
        kill(0, first);
        for (ClusterJob job : jobs.subList(1, 3)) {
            Patience.until("PE 0 counts as failed", () -> job.state(0) == PeState.FAILED);
            Patience.until("PE 3 counts as failed", () -> job.state(3) == PeState.FAILED);
        }
    }

    @Test
    @DisplayName("where PE 0 may live, since only connections have ended, no PE takes over: two jobs would go on")
    void partedNetwork() throws Exception {
        start(3, true);
        proxy.drop();
        for (int pe = 1; pe < 3; pe++) {
            ClusterJob job = jobs.get(pe);
            Patience.until("PE " + job.pe() + " counts as failed", () -> job.state(job.pe()) == PeState.FAILED);
            assertThat(job.failureReason(job.pe()).orElseThrow()).contains("the connection to PE 0");
        }
        assertThat(taken).isEmpty();
        ClusterJob zero = jobs.getFirst();
        Patience.until("PE 0 knows that", () -> zero.state(1) == PeState.FAILED && zero.state(2) == PeState.FAILED);
        assertThat(zero.state(0)).isEqualTo(PeState.RUNNING);
    }
}
