// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread of a PE in the simulator: the PE's main thread, or a *spawned* one, which the program started and
/// which enters for one operation at a time.
public final class SimulatedTask {
    /// The states of a task. A main thread that has not entered yet is READY.
    enum State {
        /// can continue
        READY,
        /// is the running task
        RUNNING,
        /// waits for an event, perhaps with a time limit
        BLOCKED,
        /// blocks outside the simulator: it has lost its turn, and will enter again
        DETACHED,
        /// has left, or was killed
        ENDED
    }

    final int pe;
    final boolean spawned;

    /// Order of tasks with equal times.
    final int number;

    @Nullable
    Thread thread;

    State state = State.READY;

    /// Virtual nanoseconds.
    long clock;

    /// When it continues, if it is READY, or BLOCKED with a time limit.
    long wakeAt;

    /// When the wait that begins next can end without an event.
    long hint = EventQueue.NEVER;

    /// Index in the [TaskQueue], or −1.
    int place = -1;

    /// Number of operations and polls so far; the watchdog reads it.
    long steps;

    /// Whether the task is between [SimulationScheduler#enter] and [SimulationScheduler#exit]: if its thread
    /// blocks there, it blocks in the simulator.
    boolean inside;

    /// Whether the watchdog takes it to be blocked outside the simulator.
    volatile boolean suspected;

    /// The exception that the task throws when it continues.
    @Nullable
    RuntimeException fault;

    private volatile boolean turn;

    /// Whether its thread has begun its turn.
    private volatile boolean present;

    SimulatedTask(int pe, int number, boolean spawned) {
        this.pe = pe;
        this.number = number;
        this.spawned = spawned;
    }

    /// Returns the virtual nanoseconds since the begin of the run.
    public long clock() {
        return clock;
    }

    /// Returns the number of operations and polls so far.
    public long steps() {
        return steps;
    }

    /// Sets when the wait that begins next can end without an arrival.
    public void expect(long time) {
        hint = Math.min(hint, time);
    }

    void resume() {
        turn = true;
        LockSupport.unpark(thread);
    }

    void awaitTurn() {
        present = false;
        boolean interrupted = false;
        while (!turn) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // else parking would return at once from here on
        }
        turn = false;
        present = true;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Returns the number of its PE.
    public int pe() {
        return pe;
    }

    /// Returns its thread.
    public Thread thread() {
        return Objects.requireNonNull(thread, "the PE's thread has not entered yet");
    }

    @SuppressWarnings("ReferenceEquality") // threads are compared by identity
    boolean isOfCaller() {
        return thread == Thread.currentThread();
    }

    /// Returns whether the task has the turn, and its thread blocks outside the simulator.
    boolean isOutside() {
        // In this order: if a thread blocks inside the simulator, its state becomes visible after `inside`.
        return present
                && switch (thread().getState()) {
                    case WAITING, TIMED_WAITING, BLOCKED -> true;
                    default -> false;
                }
                && !inside;
    }

    /// Returns whether its thread blocks without a time limit.
    boolean isParked() {
        return thread().getState() != Thread.State.TIMED_WAITING;
    }
}
