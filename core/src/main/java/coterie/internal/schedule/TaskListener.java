// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Receives a task's events in the thread that advances the task; must not wait.
@FunctionalInterface
public interface TaskListener {
    /// An exception fails the task.
    void onEvent(Task task, TaskEvent event);
}
