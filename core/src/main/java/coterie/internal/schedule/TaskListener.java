// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Is told of a task's events by the thread that advances it; must not wait.
@FunctionalInterface
public interface TaskListener {
    /// An exception fails the task.
    void onEvent(Task task, TaskEvent event);
}
