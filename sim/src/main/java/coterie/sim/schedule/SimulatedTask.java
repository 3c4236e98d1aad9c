// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// A thread of a PE on the stage: its main one, or a *guest*, which the program has started by itself and which
/// comes for one operation at a time.
public final class SimulatedTask {
    /// Of no thread that has ever come: the PE's main one is awaited.
    enum State {
        /// can go on
        READY,
        /// has the stage
        RUNNING,
        /// waits, perhaps until a time
        BLOCKED,
        /// waits for something outside of the stage: it has lost its turn, and will come again
        AWAY,
        /// has left, or was killed
        GONE
    }

    final int pe;
    final boolean guest;

    /// Decides between tasks of one time.
    final int number;

    @Nullable
    Thread thread;

    State state = State.READY;

    /// Virtual nanoseconds.
    long clock;

    /// When it goes on, if it is READY, or BLOCKED with a time.
    long wakeAt;

    /// When a wait that is about to begin may end by itself.
    long hint = EventQueue.NEVER;

    /// Place in the [TaskQueue], or −1.
    int place = -1;

    /// What it has started or polled so far; the watchdog has a look at it.
    long steps;

    /// Whether it is between [SimulationScheduler#enter] and [SimulationScheduler#exit]: what it stands still for there
    /// is the stage's own.
    boolean inside;

    /// The watchdog takes it to be outside of the stage.
    volatile boolean suspected;

    /// What the task learns when it goes on.
    @Nullable
    RuntimeException fault;

    private volatile boolean turn;

    /// Whether its thread has taken the turn that it was given.
    private volatile boolean present;

    SimulatedTask(int pe, int number, boolean guest) {
        this.pe = pe;
        this.number = number;
        this.guest = guest;
    }

    /// Virtual nanoseconds from the begin of the performance.
    public long clock() {
        return clock;
    }

    /// What it has started or polled so far.
    public long steps() {
        return steps;
    }

    /// Says when a wait that is about to begin may end although nothing arrives.
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

    /// Number of its PE.
    public int pe() {
        return pe;
    }

    /// Its thread.
    public Thread thread() {
        return Objects.requireNonNull(thread, "the PE's thread has not come yet");
    }

    @SuppressWarnings("ReferenceEquality") // threads are who they are
    boolean isOfCaller() {
        return thread == Thread.currentThread();
    }

    /// Whether it has the turn, and stands still where the stage knows nothing of it.
    boolean isOutside() {
        // In this order: a thread that stands still has made visible that it went inside before.
        return present
                && switch (thread().getState()) {
                    case WAITING, TIMED_WAITING, BLOCKED -> true;
                    default -> false;
                }
                && !inside;
    }

    /// Whether its thread stands still until another one does something.
    boolean isParked() {
        return thread().getState() != Thread.State.TIMED_WAITING;
    }
}
