// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.testing.Patience;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands until a test moves it. Threads look at it each millisecond.
final class ManualClock implements JobClock {
    /// The first time; a time of this clock can't be mistaken for no time.
    private static final long FIRST_NANOS = 1_000;

    private final AtomicLong now = new AtomicLong(FIRST_NANOS);
    private final AtomicLong looks = new AtomicLong();

    @Override
    public long nanoTime() {
        looks.incrementAndGet();
        return now.get();
    }

    @Override
    public int blockMillis(long nanos) {
        return 1;
    }

    /// Moves the clock.
    void advance(Duration time) {
        now.addAndGet(time.toNanos());
    }

    /// Waits until the thread that has this clock for itself has acted on what came before this call: between three
    /// looks at the clock, it has read its connection.
    ///
    /// @param last ends the wait, too
    void awaitLooks(Future<?> last) {
        long before = looks.get();
        Patience.until("looks at the clock", () -> looks.get() >= before + 3 || last.isDone());
    }
}
