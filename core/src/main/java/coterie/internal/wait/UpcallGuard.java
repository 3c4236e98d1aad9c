// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.concurrent.atomic.AtomicInteger;

/// Counts the calls from the runtime into the program's code, such as callbacks and conditions of triggered posts.
/// They run on a thread that may be in a wait or in a collective, and must not begin one of their own.
public final class UpcallGuard {
    private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

    /// Calls of all threads: a thread reads its own count only if this is not 0.
    private final AtomicInteger underWay = new AtomicInteger();

    /// Begins a call on this thread.
    public void begin() {
        depth.get()[0]++;
        underWay.incrementAndGet();
    }

    /// Ends the call, after it has returned or thrown.
    public void end() {
        underWay.decrementAndGet();
        depth.get()[0]--;
    }

    /// Returns whether this thread is in a call.
    public boolean isWithin() {
        return underWay.getPlain() != 0 && depth.get()[0] > 0;
    }
}
