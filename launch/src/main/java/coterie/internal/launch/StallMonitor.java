// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.JobSegment;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/// Asks a [JobWatcher] again and again whether the job is stuck, as long as it runs.
final class StallMonitor extends Thread {
    /// Looks in the time after which a job counts as stalled.
    private static final int LOOKS = 8;

    /// Between two looks, so that a deadlock is reported within a second after that time: a PE may have stopped just
    /// after a look, and the time may have passed just after another one.
    private static final long MOST_PAUSE_NANOS = 200_000_000;

    private final Job job;
    private final JobSpec spec;
    private final JobSegment segment;

    StallMonitor(Job job, JobSpec spec, JobSegment segment) {
        super("deadlocks of job ".concat(spec.name()));
        setDaemon(true);
        this.job = job;
        this.spec = spec;
        this.segment = segment;
    }

    @Override
    public void run() {
        long pause = pauseNanos(spec.stall());
        try {
            if (!job.awaitEnds(pause)) { // a short job does without a watcher
                watch(pause);
            }
        } catch (InterruptedException e) {
            throw new AssertionError("the launcher never interrupts this thread", e);
        } catch (IOException | RuntimeException | ServiceConfigurationError e) {
            job.print("the launcher no longer looks for deadlocks: " + e);
        }
    }

    /// Returns the time between two looks.
    static long pauseNanos(Duration stall) {
        return Math.clamp(stall.toNanos() / LOOKS, 1, MOST_PAUSE_NANOS);
    }

    private void watch(long pause) throws InterruptedException, IOException {
        Optional<JobWatcher.Provider> provider = ServiceLoader.load(
                        JobWatcher.Provider.class, StallMonitor.class.getClassLoader())
                .findFirst();
        if (provider.isEmpty()) {
            return;
        }
        JobWatcher watcher = new SteadyWatcher(provider.get().watch(spec.stall()), job::print);
        try (JobRecords records = new JobRecords(segment)) {
            do {
                watcher.look(records, System.nanoTime()).ifPresent(job::stuck);
            } while (!job.awaitEnds(pause));
        }
    }
}
