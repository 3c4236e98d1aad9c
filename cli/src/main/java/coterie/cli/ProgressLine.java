// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.PrintStream;
import java.util.function.LongSupplier;

/// Says on stderr how far a command has come: in one line of a terminal, which the next text replaces; elsewhere in a
/// line every few seconds, so that logs stay short.
final class ProgressLine {
    /// A user wonders after some seconds whether a program hangs.
    static final long INTERVAL_NANOS = 5_000_000_000L;

    private final PrintStream err;
    private final boolean isTerminal;
    private final LongSupplier clock;
    private long latest;

    /// @param clock in nanoseconds
    ProgressLine(PrintStream err, boolean isTerminal, LongSupplier clock) {
        this.err = err;
        this.isTerminal = isTerminal;
        this.clock = clock;
        this.latest = clock.getAsLong();
    }

    void show(String text) {
        if (isTerminal) {
            err.print("\r\033[K" + text);
            err.flush();
        } else if (clock.getAsLong() - latest >= INTERVAL_NANOS) {
            latest = clock.getAsLong();
            err.println(text);
        }
    }

    /// Removes what is shown, before another line.
    void clear() {
        if (isTerminal) {
            err.print("\r\033[K");
            err.flush();
        }
    }
}
