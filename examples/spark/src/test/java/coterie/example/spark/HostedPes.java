// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.cluster.JobCoordinator;
import coterie.cluster.WorldJoin;
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

/// Runs tasks as the PEs of a job, each a thread of this JVM, as the tasks of a barrier stage are.
final class HostedPes {
    private static final long HEAP = 64 << 20;

    private HostedPes() {}

    /// Returns the result of each PE.
    static <T> List<T> run(int pes, WorldTask<T, Exception> task) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> each : start(pes, task)) {
            results.add(each.get());
        }
        return results;
    }

    /// Returns what each PE has thrown; all must have.
    static List<Throwable> failures(int pes, WorldTask<?, Exception> task) throws InterruptedException {
        List<Throwable> thrown = new ArrayList<>();
        for (Future<?> each : start(pes, task)) {
            try {
                throw new AssertionError("a PE has returned " + each.get());
            } catch (ExecutionException e) {
                thrown.add(e.getCause());
            }
        }
        return thrown;
    }

    /// Returns the ended PEs.
    private static <T> List<Future<T>> start(int pes, WorldTask<T, Exception> task) {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        JobCoordinator.Options options = new JobCoordinator.Options(
                pes,
                loopback,
                loopback.getHostAddress(),
                HEAP,
                Duration.ofHours(1), // no PE is silent
                Duration.ofMinutes(1),
                false,
                true);
        try (JobCoordinator coordinator = JobCoordinator.open(options)) {
            List<Future<T>> started;
            try (ExecutorService threads = Executors.newFixedThreadPool(pes)) {
                started = IntStream.range(0, pes)
                        .mapToObj(pe -> threads.submit(
                                () -> WorldJoin.by(coordinator.key()).pe(pe).call(task)))
                        .toList();
            }
            return started;
        }
    }
}
