// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// Limits virtual time to the pace of the real clock where no event is planned and threads that the program
/// started may enter the simulator at any moment. Without the limit, a wait would time out before the thread that
/// ends it arrives.
final class ClockPacer {
    private boolean enabled;
    private boolean pausing;
    private long virtualBegin;
    private long realBegin;

    /// The virtual time up to which the real clock has advanced during pauses.
    private long granted;

    /// Enables the limit: a thread that the program started has entered, and others may follow.
    void enable() {
        enabled = true;
    }

    /// Returns whether virtual time must wait for the real clock before it advances to the task's wake-up.
    boolean delays(SimulatedTask task, long now) {
        return enabled && task.state == SimulatedTask.State.BLOCKED && task.wakeAt > Math.max(now, granted);
    }

    /// Begins a pause, in which no task runs.
    void beginPause(long now) {
        pausing = true;
        virtualBegin = now;
        realBegin = System.nanoTime();
    }

    void endPause() {
        pausing = false;
    }

    /// Returns whether the pause has lasted as long as the task has to wait.
    boolean isPauseOver(SimulatedTask task) {
        if (!pausing) {
            return false;
        }
        granted = virtualBegin + System.nanoTime() - realBegin;
        return task.wakeAt <= granted;
    }
}
