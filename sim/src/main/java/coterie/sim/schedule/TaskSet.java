// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import coterie.sim.schedule.SimulatedTask.State;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/// All tasks of a run: a main one for each PE, and the spawned ones that are in the simulator.
final class TaskSet {
    final SimulatedTask[] mains;
    private final List<SimulatedTask> spawnedTasks = new ArrayList<>();
    private final TaskQueue ready;

    TaskSet(int size, TaskQueue ready) {
        this.ready = ready;
        this.mains = new SimulatedTask[size];
        for (int pe = 0; pe < size; pe++) {
            mains[pe] = new SimulatedTask(pe, pe, false);
            ready.add(mains[pe]);
        }
    }

    void add(SimulatedTask spawned) {
        spawnedTasks.add(spawned);
    }

    void remove(SimulatedTask spawned) {
        spawnedTasks.remove(spawned);
    }

    /// Returns whether the main task of any PE is in this state.
    boolean anyMain(State state) {
        return Arrays.stream(mains).anyMatch(main -> main.state == state);
    }

    /// Ends the spawned tasks of a PE that was killed.
    void dismiss(int pe) {
        for (SimulatedTask spawned : List.copyOf(spawnedTasks)) {
            if (spawned.pe == pe) {
                spawned.state = State.ENDED;
                ready.remove(spawned);
            }
        }
    }

    /// Wakes a PE's waits. Returns when the first of them continues, or [EventQueue#NEVER].
    long wake(int pe, long time) {
        long first = wake(mains[pe], time);
        for (SimulatedTask spawned : spawnedTasks) {
            if (spawned.pe == pe) {
                first = Math.min(first, wake(spawned, time));
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
        for (SimulatedTask spawned : spawnedTasks) {
            wake(spawned, time);
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

    /// Makes all waiting tasks throw an exception.
    void fail(Supplier<RuntimeException> cause) {
        for (SimulatedTask main : mains) {
            if (main.state == State.BLOCKED) {
                main.fault = cause.get();
            }
        }
        for (SimulatedTask spawned : spawnedTasks) {
            spawned.fault = cause.get();
        }
    }
}
