// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// Waits for conditions that hold soon in each good run.
public final class Patience {
    /// A time that no good run needs, even beside other work.
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /// Between two questions: others get the processor meanwhile.
    private static final long PAUSE_NANOS = 50_000;

    private Patience() {}

    /// Asks again and again whether a condition holds. The condition may do a step of what it waits for.
    ///
    /// @param what for the message
    /// @throws AssertionError if the condition does not hold after a time that no good run needs
    public static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }
}
