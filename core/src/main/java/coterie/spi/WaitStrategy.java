// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Waiting and time, of the machine or of a simulator. Only the waiting room calls it, so an implementation
/// controls both.
public interface WaitStrategy {

    /// Returns how often a waiter polls before it first calls [#idle]; 0 if PEs outnumber processors.
    int spins();

    /// Returns a monotonic clock in nanoseconds, of no particular origin.
    long nanoTime();

    /// Lets other threads run. Returns after a bounded time, whether or not anything has changed.
    ///
    /// @param waitedNanos how long this wait has lasted; the longer, the longer the pause may be
    /// @param leftNanos how long it may still last, at least 1; `Long.MAX_VALUE` for no limit
    void idle(long waitedNanos, long leftNanos);
}
