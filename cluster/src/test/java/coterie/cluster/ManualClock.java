// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import coterie.testing.Patience;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands until a test moves it. Threads look at it each millisecond.
final class ManualClock implements JobClock {
    /// The first time; a time of this clock can't be mistaken for no time.
    private static final long FIRST_NANOS = 1_000;

    /// Looks at the clock in which a thread that receives has waited for bytes once, whatever it does with them.
    private static final int LOOKS_OF_A_ROUND = 6;

    private final AtomicLong now;
    private final AtomicLong looks = new AtomicLong();

    ManualClock() {
        this(new AtomicLong(FIRST_NANOS));
    }

    private ManualClock(AtomicLong now) {
        this.now = now;
    }

    /// Returns a clock that always has the time of this one, for a thread that has it for itself.
    ManualClock twin() {
        return new ManualClock(now);
    }

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

    /// Waits until the thread that has this clock for itself has acted on what came before this call: it has waited
    /// for bytes once more, and begun another wait.
    ///
    /// @param last ends the wait, too
    void awaitLooks(Future<?> last) {
        long before = looks.get();
        Patience.until("looks at the clock", () -> looks.get() >= before + 2 * LOOKS_OF_A_ROUND || last.isDone());
    }

    /// Waits as [#awaitLooks(Future)] does, for a thread that does not end.
    void awaitLooks() {
        awaitLooks(new CompletableFuture<>());
    }
}
