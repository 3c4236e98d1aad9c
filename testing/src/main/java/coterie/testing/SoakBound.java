// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import java.time.Duration;

/// Bounds of time that a specification promises. A machine with other work can break each of them without a fault, so
/// that only the soak tier checks them, on a quiet machine; all tiers check that what is bounded happens.
public final class SoakBound {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    private SoakBound() {}

    /// Returns the time now, in nanoseconds of the clock that all processes of a machine have.
    public static long now() {
        return System.nanoTime();
    }

    /// Checks in the soak tier that no more than this time has passed.
    ///
    /// @param what has happened since, for the message
    /// @param startNanos of [#now], or of [System#nanoTime] in another process
    /// @throws AssertionError if more has passed
    public static void assertWithin(String what, Duration bound, long startNanos) {
        Duration passed = Duration.ofNanos(System.nanoTime() - startNanos);
        if (IS_SOAK && passed.compareTo(bound) > 0) {
            throw new AssertionError(what + " took " + passed + ", which is more than " + bound);
        }
    }

    /// Returns the timeout of a wait that nothing but its timeout ends: long where [#assertWithin] has to tell its end
    /// from
    /// a machine's delay, and 50 ms elsewhere.
    ///
    /// @param inSoak in the soak tier
    public static Duration timeout(Duration inSoak) {
        return IS_SOAK ? inSoak : Duration.ofMillis(50);
    }

    /// Lets time pass in the soak tier: a state that the test has made lasts so long.
    public static void last(Duration time) throws InterruptedException {
        if (IS_SOAK) {
            Thread.sleep(time);
        }
    }
}
