// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// Decides when a run in which no task can continue is a deadlock.
///
/// First, the detector wakes all waits a few times: they write to their status pages what they wait for, and may
/// find that they can end. Then it waits for a moment of real time, in which a thread that the program started may
/// still enter.
final class DeadlockDetector {
    private static final int RECHECKS = 3;

    private int rechecks;
    private boolean moved;
    private boolean finalRecheckDone;

    /// Since when no task has run, by the real clock; 0 while one runs.
    private volatile long since;

    /// Notes a change that may end waits.
    void moved() {
        moved = true;
    }

    /// Returns whether the scheduler is to wake all waits once more.
    boolean needsRecheck() {
        if (moved) {
            finalRecheckDone = false;
            rechecks = 0;
            moved = false;
        }
        return rechecks++ < RECHECKS;
    }

    /// Returns whether the scheduler is to wake all waits a last time, after the moment of real time and before
    /// the report.
    boolean needsFinalRecheck() {
        since = 0;
        rechecks = RECHECKS;
        finalRecheckDone = !finalRecheckDone;
        return finalRecheckDone;
    }

    void begin() {
        since = System.nanoTime();
    }

    void end() {
        since = 0;
    }

    /// Returns whether no task has run for so long.
    boolean hasLasted(long nanos) {
        long begin = since;
        return begin != 0 && System.nanoTime() - begin > nanos;
    }
}
