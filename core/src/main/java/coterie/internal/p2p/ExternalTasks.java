// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.memory.StatusLabel;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The tasks of layers in the runs of a plan. Several may be under way at once.
final class ExternalTasks {
    /// By the numbers that the plan has.
    private final List<? extends ExternalTask> all;

    /// Those that have begun and are not complete, in front.
    private final ExternalTask[] running;

    private int left;

    ExternalTasks(List<? extends ExternalTask> all) {
        this.all = all;
        this.running = new ExternalTask[all.size()];
    }

    /// Returns whether one has begun and is not complete.
    boolean areRunning() {
        return left > 0;
    }

    /// The PE that the first of them waits for, as [ExternalTask#awaitedPe]. For any thread.
    int awaitedPe() {
        ExternalTask first = left > 0 ? running[0] : null;
        return first == null ? -1 : first.awaitedPe();
    }

    /// The layer of the first of them, or null. For any thread.
    @Nullable
    StatusLabel awaitedLayer() {
        ExternalTask first = left > 0 ? running[0] : null;
        return first == null ? null : first.layer();
    }

    /// Begins one; if it throws, it counts as begun.
    ///
    /// @param number of the run
    void begin(int task, long number) {
        running[left++] = all.get(task);
        all.get(task).begin(number);
    }

    /// Advances those that have begun; returns whether one is complete that was not.
    boolean advance() {
        int before = left;
        int each = 0;
        while (each < left) {
            if (running[each].progress()) {
                left--;
                System.arraycopy(running, each + 1, running, each, left - each);
            } else {
                each++;
            }
        }
        return left < before;
    }

    /// Ends those that have begun, all of them even if one throws, and tells all that the run has failed.
    ///
    /// @throws RuntimeException the first that one has thrown
    void stop(RuntimeException why) {
        RuntimeException first = null;
        while (left > 0) {
            left--;
            try {
                running[left].stop(why);
            } catch (RuntimeException e) {
                first = first == null ? e : first;
            }
        }
        all.forEach(task -> task.failed(why));
        if (first != null) {
            throw first;
        }
    }

    /// Releases all; no run will come.
    void close() {
        all.forEach(ExternalTask::close);
    }
}
