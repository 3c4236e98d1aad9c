// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import java.util.concurrent.atomic.AtomicInteger;

/// Calls of the program's own code from within the runtime, such as callbacks and events: they run on a thread
/// that may be in the midst of a wait, or of a collective, and may not begin one of their own there.
public final class UpcallGuard {
    private final ThreadLocal<int[]> depth = ThreadLocal.withInitial(() -> new int[1]);

    /// Over all threads, so that who asks looks at its own only where there are some.
    private final AtomicInteger underWay = new AtomicInteger();

    /// A call begins on this thread.
    public void begin() {
        depth.get()[0]++;
        underWay.incrementAndGet();
    }

    /// It has returned, or thrown.
    public void end() {
        underWay.decrementAndGet();
        depth.get()[0]--;
    }

    /// Whether this thread is in one.
    public boolean isWithin() {
        return underWay.getPlain() != 0 && depth.get()[0] > 0;
    }
}
