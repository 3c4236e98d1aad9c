// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Arrays;

/// The listeners of a task, in order of registration.
final class TaskListeners {
    private record Registration(TaskEvent event, TaskListener listener) {}

    private Registration[] all = {};

    void add(TaskEvent event, TaskListener listener) {
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = new Registration(event, listener);
    }

    /// Notifies the listeners of one event, until one throws.
    void notifyListeners(Task task, TaskEvent event) {
        for (Registration each : all) {
            if (each.event == event) {
                each.listener.onEvent(task, event);
            }
        }
    }

    /// Notifies all listeners of the failure, which gets what they throw as suppressed exceptions.
    void notifyFailure(Task task, RuntimeException failure) {
        for (Registration each : all) {
            if (each.event == TaskEvent.FAILED) {
                try {
                    each.listener.onEvent(task, TaskEvent.FAILED);
                } catch (RuntimeException e) {
                    Task.suppress(failure, e);
                }
            }
        }
    }
}
