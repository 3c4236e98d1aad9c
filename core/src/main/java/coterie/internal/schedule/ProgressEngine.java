// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.ThreadLevel;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.ProgressHook;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// Advances the posted tasks of a world: one engine for each world.
///
/// It advances all tasks whenever a thread tests or waits, for any task or word, and on request also in a thread
/// of its own. At `MULTIPLE` several threads may post, test and wait at the same time, and one thread at a time
/// advances a task; below that nothing is synchronized.
public final class ProgressEngine implements ProgressHook {
    private final int pe;
    private final PeRuntime runtime;
    private final WaitingRoom room;
    private final ThreadLevel level;
    private final ProgressQueue table;
    private volatile IdleProbe[] idleProbes = {};

    /// The first deadline of a task, by the scheduler's clock, or [WaitingRoom#FOREVER]. It may be that of a task
    /// that is over; a thread that finds it past resets it, and each task notes its own again when it is advanced.
    private volatile long deadline = WaitingRoom.FOREVER;

    private @Nullable ProgressThread thread;

    public ProgressEngine(int pe, PeRuntime runtime, ThreadLevel level) {
        this.pe = pe;
        this.runtime = runtime;
        this.room = runtime.room();
        this.level = level;
        this.table = ProgressQueue.of(level);
    }

    /// Advances each posted task once, for a thread that waits for something else. What a callback throws goes
    /// to that thread's handler, since the thread does not await this task.
    @Override
    public boolean progress() {
        if (tryAdvanceAll()) {
            return true;
        }
        pollIdle();
        return false;
    }

    private void pollIdle() {
        for (IdleProbe each : idleProbes) {
            each.poll();
        }
    }

    /// Adds a probe that runs whenever a thread waits.
    public synchronized void watch(IdleProbe idleProbe) {
        IdleProbe[] more = Arrays.copyOf(idleProbes, idleProbes.length + 1);
        more[idleProbes.length] = idleProbe;
        idleProbes = more;
    }

    /// Removes the probe.
    public synchronized void forget(IdleProbe idleProbe) {
        idleProbes = Arrays.stream(idleProbes)
                .filter(each -> !each.equals(idleProbe))
                .toArray(IdleProbe[]::new);
    }

    @Override
    public long dueNanos() {
        long first = deadline;
        if (first == WaitingRoom.FOREVER) {
            return first;
        }
        long left = first - room.nanoTime();
        if (left > 0) {
            return left;
        }
        deadline = WaitingRoom.FOREVER;
        return 1;
    }

    /// Notes a task's deadline.
    void remind(long nanoTime) {
        if (nanoTime < deadline) {
            deadline = nanoTime;
        }
    }

    /// Advances each posted task once.
    ///
    /// @return whether a task moved, or a callback has thrown
    boolean tryAdvanceAll() {
        try {
            boolean moved = table.sweep();
            if (moved) {
                room.moved();
            }
            return moved;
        } catch (RuntimeException | Error e) {
            handOver(e);
            return true;
        }
    }

    /// Passes what a callback has thrown, whose task is over, to the thread's handler of uncaught exceptions.
    static void handOver(Throwable thrown) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
    }

    /// Starts a thread that advances the tasks until [#stopThread].
    ///
    /// @throws IllegalStateException below `MULTIPLE`, or if it has one
    public void startThread(ThreadFactory factory) {
        if (level != ThreadLevel.MULTIPLE) {
            throw new IllegalStateException("progress thread on PE " + pe + ": the thread level is " + level
                    + "; a progress thread needs MULTIPLE");
        }
        if (thread != null) {
            throw new IllegalStateException("progress thread on PE " + pe + ": it is already running");
        }
        thread = ProgressThread.start(this, factory);
    }

    /// Ends the thread and returns when it has ended. Does nothing if there is none.
    ///
    /// @throws RuntimeException that ended it early, such as the job's abort
    public void stopThread() {
        ProgressThread running = thread;
        if (running != null) {
            running.stop();
            thread = null;
        }
    }

    int pe() {
        return pe;
    }

    PeRuntime runtime() {
        return runtime;
    }

    WaitingRoom room() {
        return room;
    }

    /// The thread level of the world.
    public ThreadLevel level() {
        return level;
    }

    void add(Task task) {
        table.add(task);
    }

    /// Does the same as [#tryAdvanceAll] for a thread that tests a task: throws what the callback of that task
    /// throws.
    void advanceAllFor(Task task) {
        if (task.hasTerminated()) {
            return;
        }
        try {
            if (!table.sweep()) {
                pollIdle();
            }
        } catch (RuntimeException | Error e) {
            if (task.completionCallback.hasThrown(e)) {
                throw e;
            }
            handOver(e);
        }
    }
}
