// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Arrays;

/// The listeners of a task, in order of registration.
final class TaskListeners {
    private TaskEvent[] events = new TaskEvent[2];
    private TaskListener[] listeners = new TaskListener[2];
    private int count;

    void add(TaskEvent event, TaskListener listener) {
        if (count == listeners.length) {
            events = Arrays.copyOf(events, 2 * count);
            listeners = Arrays.copyOf(listeners, 2 * count);
        }
        events[count] = event;
        listeners[count] = listener;
        count++;
    }

    /// Notifies the listeners of one event, until one throws.
    void notifyListeners(Task task, TaskEvent event) {
        for (int each = 0; each < count; each++) {
            if (events[each] == event) {
                listeners[each].onEvent(task, event);
            }
        }
    }

    /// Notifies all listeners of the failure, which gets what they throw as suppressed exceptions.
    void notifyFailure(Task task, RuntimeException failure) {
        for (int each = 0; each < count; each++) {
            if (events[each] == TaskEvent.FAILED) {
                try {
                    listeners[each].onEvent(task, TaskEvent.FAILED);
                } catch (RuntimeException e) {
                    Task.suppress(failure, e);
                }
            }
        }
    }
}
