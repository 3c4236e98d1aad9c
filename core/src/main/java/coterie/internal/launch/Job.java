// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.OutputStream;

/// A running job, as its launcher sees it.
public final class Job implements AutoCloseable {
    private Job() {}

    /// Starts all PEs. The calling thread must stay alive until the job has ended: PEs die with it.
    public static Job start(JobSpec spec) {
        throw new UnsupportedOperationException(spec.toString());
    }

    /// Waits until every PE has ended and its output is written. Returns the job's exit code.
    public int await() {
        throw new UnsupportedOperationException();
    }

    /// Passes a signal on to every PE.
    public void signal(int number) {
        throw new UnsupportedOperationException();
    }

    /// Where the program writes what PE `pe` reads, for a job with [JobSpec.Input#PIPES].
    public OutputStream inputOf(int pe) {
        throw new UnsupportedOperationException();
    }

    /// Stops what still runs, at once.
    @Override
    public void close() {}
}
