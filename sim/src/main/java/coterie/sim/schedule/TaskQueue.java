// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Tasks with a wake-up time, earliest first: a binary heap in which each task has its index, so that it can be
/// moved forward.
final class TaskQueue {
    private @Nullable SimulatedTask[] heap = new SimulatedTask[16];
    private int size;

    /// Returns the first task, or null.
    @Nullable
    SimulatedTask first() {
        return heap[0];
    }

    /// Returns all tasks, by their numbers.
    List<SimulatedTask> all() {
        return Arrays.stream(heap, 0, size)
                .map(Objects::requireNonNull)
                .sorted(Comparator.comparingInt(task -> task.number))
                .toList();
    }

    /// Returns when the first task continues, or [EventQueue#NEVER].
    long firstTime() {
        SimulatedTask first = heap[0];
        return first == null ? EventQueue.NEVER : first.wakeAt;
    }

    /// Adds a task, or moves it forward to its new time.
    void add(SimulatedTask task) {
        if (task.place < 0) {
            if (size == heap.length) {
                heap = Arrays.copyOf(heap, 2 * size);
            }
            task.place = size++;
        }
        rise(task, task.place);
    }

    /// Removes a task, if it is in the queue.
    void remove(SimulatedTask task) {
        int at = task.place;
        if (at < 0) {
            return;
        }
        SimulatedTask last = at(--size);
        heap[size] = null;
        task.place = -1;
        if (at < size) {
            sink(last, at);
            rise(last, last.place);
        }
    }

    private void rise(SimulatedTask task, int from) {
        int at = from;
        while (at > 0) {
            SimulatedTask above = at((at - 1) >>> 1);
            if (isBefore(above, task)) {
                break;
            }
            put(above, at);
            at = (at - 1) >>> 1;
        }
        put(task, at);
    }

    private void sink(SimulatedTask task, int from) {
        int at = from;
        int half = size >>> 1;
        while (at < half) {
            int down = 2 * at + 1;
            if (down + 1 < size && isBefore(at(down + 1), at(down))) {
                down++;
            }
            if (isBefore(task, at(down))) {
                break;
            }
            put(at(down), at);
            at = down;
        }
        put(task, at);
    }

    private void put(SimulatedTask task, int at) {
        heap[at] = task;
        task.place = at;
    }

    private SimulatedTask at(int place) {
        SimulatedTask task = heap[place];
        assert task != null;
        return task;
    }

    private static boolean isBefore(SimulatedTask left, SimulatedTask right) {
        return left.wakeAt < right.wakeAt || (left.wakeAt == right.wakeAt && left.number < right.number);
    }
}
