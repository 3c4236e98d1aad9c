// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

/// Waiting and time. The waiting room is its only caller, so that whoever supplies it controls both: the machine's
/// clock and processors, or a simulator's.
public interface WaitStrategy {

    /// How often a waiter polls before it first calls [#idle]; 0 where PEs outnumber processors.
    int spins();

    /// A monotonic clock in nanoseconds, of no particular origin.
    long nanoTime();

    /// Lets others run. Returns after a bounded time, whether or not anything has changed.
    ///
    /// @param waitedNanos how long this wait has lasted; the longer, the longer the pause may be
    /// @param leftNanos how long it may still last, at least 1; `Long.MAX_VALUE` for ever
    void idle(long waitedNanos, long leftNanos);
}
