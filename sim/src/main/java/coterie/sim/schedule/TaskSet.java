// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import coterie.sim.schedule.SimulatedTask.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// All tasks of a performance: a main one for each PE, and the guests that are there.
final class TaskSet {
    final SimulatedTask[] mains;
    private final List<SimulatedTask> guests = new ArrayList<>();
    private final TaskQueue ready;

    TaskSet(int size, TaskQueue ready) {
        this.ready = ready;
        this.mains = new SimulatedTask[size];
        for (int pe = 0; pe < size; pe++) {
            mains[pe] = new SimulatedTask(pe, pe, false);
            ready.add(mains[pe]);
        }
    }

    void add(SimulatedTask guest) {
        guests.add(guest);
    }

    void remove(SimulatedTask guest) {
        guests.remove(guest);
    }

    /// Whether the main task of a PE is in this state.
    boolean anyMain(State state) {
        return Arrays.stream(mains).anyMatch(main -> main.state == state);
    }

    /// Takes out the guests of a PE that is no more.
    void dismiss(int pe) {
        for (SimulatedTask guest : List.copyOf(guests)) {
            if (guest.pe == pe) {
                guest.state = State.GONE;
                ready.remove(guest);
            }
        }
    }

    /// Wakes a PE's waits; returns when the first of them goes on, or [EventQueue#NEVER].
    long wake(int pe, long time) {
        long first = wake(mains[pe], time);
        for (SimulatedTask guest : guests) {
            if (guest.pe == pe) {
                first = Math.min(first, wake(guest, time));
            }
        }
        return first;
    }

    /// Wakes the wait of a PE's main thread.
    void wakeMain(int pe, long time) {
        wake(mains[pe], time);
    }

    /// Wakes all waits.
    void wakeAll(long time) {
        for (SimulatedTask main : mains) {
            wake(main, time);
        }
        for (SimulatedTask guest : guests) {
            wake(guest, time);
        }
    }

    private long wake(SimulatedTask task, long time) {
        long at = Math.max(time, task.clock);
        if (task.state != State.BLOCKED || at >= task.wakeAt) {
            return EventQueue.NEVER;
        }
        task.wakeAt = at;
        ready.add(task);
        return at;
    }

    /// Hands all that wait an exception.
    void fail(Supplier<RuntimeException> cause) {
        for (SimulatedTask main : mains) {
            if (main.state == State.BLOCKED) {
                main.fault = cause.get();
            }
        }
        for (SimulatedTask guest : guests) {
            guest.fault = cause.get();
        }
    }
}
