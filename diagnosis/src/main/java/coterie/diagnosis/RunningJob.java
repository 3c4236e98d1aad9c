// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.internal.launch.JobRecords;
import coterie.internal.launch.Jobs;
import java.io.IOException;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/// Diagnoses a job that runs on this machine, from outside: it asks nothing of the job's PEs, so that it works
/// as well when they are wedged or suspended.
@SuppressWarnings("exports") // only command lines and tests find jobs
public final class RunningJob {
    /// The time for PEs to find out whether anything still travels between them, which they do once a second.
    private static final long LONGEST_NANOS = 4_000_000_000L;

    private RunningJob() {}

    /// Looks at a job for some time, and says why it is stuck, if it is. PEs that move meanwhile, and threads
    /// that run, count as code that could still act.
    ///
    /// @param watched longer than the pauses that the job makes while it goes on; positive
    /// @throws IOException if a file of the job can't be closed
    /// @throws InterruptedException if the caller is interrupted
    public static Diagnosis diagnose(Jobs.Running job, Duration watched) throws IOException, InterruptedException {
        StallWatch watch = new StallWatch(watched);
        try (JobRecords records = JobRecords.of(job)) {
            watch.note(StallWatch.Look.at(records), System.nanoTime());
            long end = System.nanoTime() + Math.max(LONGEST_NANOS, watched.toNanos());
            long now;
            BitSet moving;
            do {
                TimeUnit.NANOSECONDS.sleep(watched.toNanos());
                now = System.nanoTime();
                watch.note(StallWatch.Look.at(records), now);
                moving = watch.moving(now);
            } while (watch.mayLearn(moving) && now < end);
            Diagnosis diagnosis = Diagnosis.of(watch.snapshot(moving, now));
            StallWatch.record(diagnosis);
            return diagnosis;
        }
    }
}
