// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// Waits for conditions that hold soon in each good run.
public final class Patience {
    /// A time that no good run needs, even beside other work.
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /// Questions without a pause: a condition may do a small step of much work.
    private static final int EAGER = 10_000;

    /// Between two later questions: others get the processor meanwhile.
    private static final long PAUSE_NANOS = 50_000;

    /// What a test waits for.
    ///
    /// @param <X> what asking throws
    @FunctionalInterface
    public interface Condition<X extends Exception> {
        /// Returns whether the condition holds.
        boolean holds() throws X;
    }

    private Patience() {}

    /// Asks again and again whether a condition holds. The condition may do a step of what it waits for.
    ///
    /// @param what for the message
    /// @throws AssertionError if the condition does not hold after a time that no good run needs
    public static <X extends Exception> void until(String what, Condition<X> condition) throws X {
        long start = System.nanoTime();
        int asked = 0;
        while (!condition.holds()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new AssertionError("not within " + LIMIT.toSeconds() + " s: " + what);
            }
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted: " + what);
            }
            if (asked++ < EAGER) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }
}
