// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.ThreadLevel;

/// The tasks that are posted and not over.
abstract sealed class ProgressQueue permits SerialProgressQueue, ConcurrentProgressQueue {

    static ProgressQueue of(ThreadLevel level) {
        return level == ThreadLevel.MULTIPLE ? new ConcurrentProgressQueue() : new SerialProgressQueue();
    }

    /// Adds a task; the caller owns it.
    abstract void add(Task task);

    /// Advances each task once that was in the queue at the beginning and that no thread is advancing.
    ///
    /// @return whether a task moved
    abstract boolean sweep();
}
