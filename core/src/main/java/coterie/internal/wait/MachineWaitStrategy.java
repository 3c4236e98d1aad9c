// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.spi.WaitStrategy;
import java.util.concurrent.locks.LockSupport;

/// Waiting on a real machine: spin while PEs have a processor each, then yield, and park only after long.
///
/// A writer never wakes anybody: a put that had to look for sleepers would cost a full fence. So a park is a nap.
/// It is short beside the time already waited, which keeps what a late arrival adds to a wait below one part in
/// eight.
public final class MachineWaitStrategy implements WaitStrategy {
    /// Some 5 µs at the 23 ns of a pause: a hundred times a hop between two processors. More gains nothing, and
    /// costs dearly where the system has put two PEs on one processor: each then waits out the other's spinning.
    private static final int SPINS = 200;

    /// For so long a waiter advances a network without yielding between two polls: a round trip.
    private static final long ADVANCE_NANOS = 20_000;

    /// For so long a waiter yields, times the PEs that share a processor: a yield costs less than what a nap
    /// overshoots (some 60 µs of timer slack), and where PEs take turns, a wait of some turns is a short one.
    private static final long YIELD_NANOS = 100_000;

    private static final long LEAST_NAP_NANOS = 20_000;
    private static final long LONGEST_NAP_NANOS = 1_000_000;

    private final int spins;
    private final long advanceNanos;
    private final long yieldNanos;
    private final long longestNapNanos;

    /// Waits among PEs of which each runs when it is its turn.
    ///
    /// @param pes PEs that share the processors
    /// @param usableCpus processors they share; where there are fewer than PEs, every poll before a yield is lost
    ///     time
    public MachineWaitStrategy(int pes, int usableCpus) {
        this(pes, usableCpus, pes <= usableCpus ? SPINS : 0);
    }

    /// The same with a number of polls of one's own.
    ///
    /// @param spins polls before the first yield
    public MachineWaitStrategy(int pes, int usableCpus, int spins) {
        this(spins, 0, YIELD_NANOS * (1 + (pes - 1) / Math.max(1, usableCpus)), LONGEST_NAP_NANOS);
    }

    private MachineWaitStrategy(int spins, long advanceNanos, long yieldNanos, long longestNapNanos) {
        this.spins = spins;
        this.advanceNanos = advanceNanos;
        this.yieldNanos = yieldNanos;
        this.longestNapNanos = longestNapNanos;
    }

    /// Returns a strategy whose naps stay short: for PEs whose peers' operations make progress only while they
    /// wait.
    public MachineWaitStrategy withShortNaps() {
        return new MachineWaitStrategy(spins, advanceNanos, yieldNanos, LEAST_NAP_NANOS);
    }

    /// Returns a strategy that advances the network between two polls from the start: for PEs whose peers' operations
    /// arrive no other way, so that a bare spin would lose its time.
    public MachineWaitStrategy withNetwork() {
        return new MachineWaitStrategy(0, spins == 0 ? 0 : ADVANCE_NANOS, yieldNanos, longestNapNanos);
    }

    @Override
    public int spins() {
        return spins;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void idle(long waitedNanos, long leftNanos) {
        if (waitedNanos < advanceNanos) {
            Thread.onSpinWait();
        } else if (waitedNanos < yieldNanos) {
            Thread.yield();
        } else {
            nap(Math.min(leftNanos, Math.clamp(waitedNanos >> 3, LEAST_NAP_NANOS, longestNapNanos)));
        }
    }

    /// Parks. A park with the thread's interrupt flag set would return at once, and the wait would spin.
    private static void nap(long nanos) {
        boolean isInterrupted = Thread.interrupted();
        LockSupport.parkNanos(nanos);
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
