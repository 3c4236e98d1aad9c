// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import org.jspecify.annotations.Nullable;

/// Tells the status page whether threads of the program live beside the waiting one: they could end its wait,
/// or another PE's, so that a diagnosis must not call the job dead.
final class OtherThreads {
    /// Shorter waits are no stall. The count costs a list of all threads of the JVM.
    private static final long FIRST_NANOS = 100_000_000;

    private static final long PERIOD_NANOS = 1_000_000_000;

    /// Threads of the runtime have names that begin so.
    private static final String RUNTIME = "coterie-";

    private final StatusPage page;
    private final @Nullable Thread[] found = new Thread[16];
    private @Nullable ThreadGroup group;

    OtherThreads(StatusPage page) {
        this.page = page;
    }

    /// Sets the threads of the PE. Set before the first wait; without it no thread is counted.
    void of(ThreadGroup threads) {
        group = threads;
    }

    /// A wait appears on the page.
    void begin() {
        page.set(StatusField.OTHER_THREADS, 1);
    }

    /// Counts the threads if it is time.
    ///
    /// @param waited for how long the caller has been waiting
    /// @param countedAt when it has last counted them, in the same time; 0 if never
    /// @return when they were last counted
    long count(long waited, long countedAt) {
        ThreadGroup all = group;
        if (all == null || waited < (countedAt == 0 ? FIRST_NANOS : countedAt + PERIOD_NANOS)) {
            return countedAt;
        }
        int others = 0;
        int count = all.enumerate(found, true);
        for (int i = 0; i < count; i++) {
            Thread each = found[i];
            found[i] = null;
            if (each != null
                    && !each.equals(Thread.currentThread())
                    && !each.getName().startsWith(RUNTIME)) {
                others++;
            }
        }
        page.set(StatusField.OTHER_THREADS, others);
        return waited;
    }
}
