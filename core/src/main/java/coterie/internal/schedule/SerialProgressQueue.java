// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The queue for threads that call one after another: in the order of posts.
///
/// A callback may post tasks and sweep while a sweep is under way. So tasks are added after those that are swept,
/// tasks that are over leave holes, and the outermost sweep closes the holes.
final class SerialProgressQueue extends ProgressQueue {
    private @Nullable Task[] tasks = new Task[16];
    private int end;
    private int holes;
    private int sweeps;

    @Override
    void add(Task task) {
        if (end == tasks.length) {
            tasks = Arrays.copyOf(tasks, 2 * end);
        }
        tasks[end++] = task;
    }

    @Override
    boolean sweep() {
        boolean moved = false;
        int present = end;
        sweeps++;
        try {
            for (int place = 0; place < present; place++) {
                Task task = tasks[place];
                if (task != null && task.ownership.acquire()) {
                    moved |= advance(task, place);
                }
            }
        } finally {
            sweeps--;
            if (holes > 0 && sweeps == 0) {
                close();
            }
        }
        return moved;
    }

    private boolean advance(Task task, int place) {
        try {
            return task.advance();
        } finally {
            if (task.hasTerminated()) {
                task.listed = false;
                tasks[place] = null;
                holes++;
            }
            task.ownership.release();
        }
    }

    private void close() {
        int kept = 0;
        for (int place = 0; place < end; place++) {
            Task task = tasks[place];
            if (task != null) {
                tasks[kept++] = task;
            }
        }
        Arrays.fill(tasks, kept, end, null);
        end = kept;
        holes = 0;
    }
}
