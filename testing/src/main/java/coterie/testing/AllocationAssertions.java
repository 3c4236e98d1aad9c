// SPDX-License-Identifier: Apache-2.0
package coterie.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.LongUnaryOperator;

/// Assertions that a program makes no garbage once it is warm. They count what the calling thread allocates: of PEs
/// that are threads, each counts its own.
public final class AllocationAssertions {
    /// A compiler that replaces code allocates in a round now and then, so that one round says little.
    private static final int CLEAN_ROUNDS = 5;

    /// The first rounds make what later ones use again; that must end before a thread has computed for so many
    /// nanoseconds. Not by the clock: on a crowded machine a thread gets little time.
    private static final long WARM_NANOS = 20_000_000_000L;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private AllocationAssertions() {}

    /// Repeats a round until it has allocated nothing for some rounds in a row. One thread does it alone.
    ///
    /// @param what for the message
    /// @throws AssertionError if it still allocates after a time that no good program needs
    public static void assertClean(String what, Runnable round) {
        assertClean(what, mine -> mine, round);
    }

    /// Repeats a round until none of some threads has allocated anything for some rounds in a row. All of them call
    /// this at once, and run equally many rounds.
    ///
    /// @param what for the message
    /// @param greatest returns the greatest argument of all threads; what it allocates does not count
    /// @throws AssertionError on all threads, if one still allocates after a time that no good program needs
    public static void assertClean(String what, LongUnaryOperator greatest, Runnable round) {
        long start = THREADS.getCurrentThreadCpuTime();
        long worst = 0;
        int clean = 0;
        while (clean < CLEAN_ROUNDS) {
            if (greatest.applyAsLong(THREADS.getCurrentThreadCpuTime() - start) > WARM_NANOS) {
                throw new AssertionError("a round of " + what + " allocates, warm; the last one " + worst
                        + " bytes, on the thread that allocated most; " + clean + " rounds in a row did not");
            }
            long before = THREADS.getCurrentThreadAllocatedBytes();
            round.run();
            worst = greatest.applyAsLong(THREADS.getCurrentThreadAllocatedBytes() - before);
            clean = worst == 0 ? clean + 1 : 0;
        }
    }
}
