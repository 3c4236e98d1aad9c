// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.cluster.WorldJoin.WorldTask;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/// Jobs whose PEs are threads of this JVM, which nothing of Coterie has started.
abstract class HostedCase {
    /// Of a PE: so that a mapping that is left shows.
    static final long HEAP = 256L << 20;

    final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    static JobCoordinator open(int size) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        return JobCoordinator.open(new JobCoordinator.Options(
                size,
                loopback,
                loopback.getHostAddress(),
                HEAP,
                Duration.ofHours(1), // no test ends that waits for a silence
                Duration.ofMinutes(1),
                false,
                true)); // which PEs of a host program leave alone
    }

    /// Runs a task on some PEs of a job, each in a thread.
    <T> List<Future<T>> start(JobCoordinator coordinator, int from, int to, WorldTask<T, Exception> task) {
        return IntStream.range(from, to)
                .mapToObj(pe -> threads.submit(
                        () -> WorldJoin.by(coordinator.key()).pe(pe).call(task)))
                .toList();
    }

    /// Returns the results of the PEs.
    static <T> List<T> results(List<Future<T>> pes) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : pes) {
            results.add(each.get());
        }
        return results;
    }

    /// Returns what a PE has thrown.
    static Throwable thrown(Future<?> pe) throws InterruptedException {
        try {
            throw new AssertionError("it has returned " + pe.get());
        } catch (ExecutionException e) {
            return e.getCause();
        }
    }
}
