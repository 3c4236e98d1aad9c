// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/// Says on stderr how far a long run has come: a line every few seconds, so that logs stay short and short runs
/// silent.
final class Progress {
    /// A user wonders after some seconds whether a program hangs.
    static final long INTERVAL_NANOS = 5_000_000_000L;

    private static final double NANOS_PER_SECOND = 1e9;

    private final String program;
    private final int steps;
    private final PrintStream err;
    private final LongSupplier clock;
    private final long start;
    private long latest;

    /// @param steps of the whole run
    /// @param clock in nanoseconds
    Progress(String program, int steps, PrintStream err, LongSupplier clock) {
        this.program = program;
        this.steps = steps;
        this.err = err;
        this.clock = clock;
        this.start = clock.getAsLong();
        this.latest = start;
    }

    /// Prints a line if the latest one is old.
    ///
    /// @param done steps that are over
    /// @param step the name of the last of them
    void done(int done, String step) {
        long now = clock.getAsLong();
        if (now - latest < INTERVAL_NANOS || done >= steps) {
            return;
        }
        latest = now;
        double left = (double) (now - start) / done * (steps - done);
        err.println(program + ": " + done + " of " + steps + " points after "
                + Math.round((now - start) / NANOS_PER_SECOND) + " s, the last one of " + step + "; about "
                + Math.max(1, Math.round(left / NANOS_PER_SECOND)) + " s left");
    }
}
