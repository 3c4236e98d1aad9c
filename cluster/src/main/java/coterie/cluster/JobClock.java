// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The time by which a job across hosts measures each silence, deadline, heartbeat and pause. A coordinator has one,
/// and so has each PE. Tests have a clock that they move.
///
/// The system can't wait for bytes until a clock of another kind has a certain time. A thread that waits for bytes
/// or for another thread therefore blocks for [#blockMillis] at most, and looks at the clock again.
interface JobClock {
    /// The clock of the system.
    JobClock SYSTEM = new JobClock() {
        // Longer waits look at the clock once more in between.
        private static final long MAX_BLOCK_MILLIS = 60_000;

        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public int blockMillis(long nanos) {
            return (int) Math.clamp(Math.ceilDiv(nanos, 1_000_000L), 1, MAX_BLOCK_MILLIS);
        }
    };

    /// Returns the time in nanoseconds. It has a meaning only relative to other times of this clock.
    long nanoTime();

    /// Returns for how long a thread may block before it looks at this clock again, in milliseconds from 1 on.
    ///
    /// @param nanos time of this clock that the thread has left
    int blockMillis(long nanos);

    /// Pauses the calling thread.
    default void sleep(Duration time) throws InterruptedException {
        await(new CountDownLatch(1), time);
    }

    /// Waits for a latch.
    ///
    /// @return whether it opened within the time
    default boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
        long start = nanoTime();
        boolean isOpen = false;
        long left = timeout.toNanos();
        while (!isOpen && left > 0) {
            isOpen = latch.await(blockMillis(left), TimeUnit.MILLISECONDS);
            left = timeout.toNanos() - (nanoTime() - start);
        }
        return isOpen;
    }
}
