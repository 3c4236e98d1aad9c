// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// How fast virtual time goes by where nothing is planned for it and threads that the program has started may come
/// to the stage at any moment: no faster than the real clock, or a wait would time out while the thread that ends
/// it is on its way.
final class ClockPacer {
    private boolean holds;
    private boolean pauses;
    private long virtualBegin;
    private long realBegin;

    /// Virtual time that has been waited for.
    private long paid;

    /// A thread of the program has come: more may.
    void hold() {
        holds = true;
    }

    /// Whether a task has to wait for the real clock before virtual time goes on to its own.
    boolean holdsBack(SimulatedTask task, long now) {
        return holds && task.state == SimulatedTask.State.BLOCKED && task.wakeAt > Math.max(now, paid);
    }

    /// Nobody has the stage from now on.
    void pause(long now) {
        pauses = true;
        virtualBegin = now;
        realBegin = System.nanoTime();
    }

    void end() {
        pauses = false;
    }

    /// Whether a pause has lasted as long as virtual time has to go on for this task.
    boolean hasTerminated(SimulatedTask task) {
        if (!pauses) {
            return false;
        }
        paid = virtualBegin + System.nanoTime() - realBegin;
        return task.wakeAt <= paid;
    }
}
