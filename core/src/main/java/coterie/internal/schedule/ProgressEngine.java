// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.ThreadLevel;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.ProgressHook;
import java.util.Arrays;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// What advances the tasks of a world that are posted: one for each world.
///
/// It works whenever somebody tests or waits, for whatever, for all tasks alike, and on request in a thread of its
/// own besides.
/// At `MULTIPLE` several threads may post, test and wait at once, and each task is advanced by one at a time;
/// below that nothing is synchronised.
public final class ProgressEngine implements ProgressHook {
    private final int pe;
    private final WaitingRoom room;
    private final ThreadLevel level;
    private final ProgressQueue table;
    private volatile IdleProbe[] idleProbes = {};

    /// When the first deadline of a task comes, by the scheduler's clock, or [WaitingRoom#FOREVER]. It may be that
    /// of a task that is over; who finds it past sets it back, and tasks say theirs again whenever they are
    /// advanced.
    private volatile long deadline = WaitingRoom.FOREVER;

    private @Nullable ProgressThread thread;

    public ProgressEngine(int pe, WaitingRoom room, ThreadLevel level) {
        this.pe = pe;
        this.room = room;
        this.level = level;
        this.table = ProgressQueue.of(level);
    }

    /// Advances each task that is posted once, for a thread that waits for something else. What a callback throws
    /// goes to that thread's handler: its wait has nothing to do with it.
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

    /// Has somebody look out whenever a thread waits, for whatever.
    public synchronized void watch(IdleProbe idleProbe) {
        IdleProbe[] more = Arrays.copyOf(idleProbes, idleProbes.length + 1);
        more[idleProbes.length] = idleProbe;
        idleProbes = more;
    }

    /// The same no more.
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

    /// Takes note of a task's deadline.
    void remind(long nanoTime) {
        if (nanoTime < deadline) {
            deadline = nanoTime;
        }
    }

    /// Advances each task that is posted once.
    ///
    /// @return whether a task moved, or a callback has thrown
    boolean tryAdvanceAll() {
        try {
            return advanceAll();
        } catch (RuntimeException | Error e) {
            handOver(e);
            return true;
        }
    }

    /// Hands what a callback has thrown, whose task is over, to the thread's handler, as any thread does with what
    /// others gave it to run.
    private void handOver(Throwable thrown) {
        Thread current = Thread.currentThread();
        current.getUncaughtExceptionHandler().uncaughtException(current, thrown);
    }

    /// Has a thread of its own advance the tasks, until [#stopThread].
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

    /// Ends the thread and returns when it has ended. Does nothing where there is none.
    ///
    /// @throws RuntimeException that ended it before its time, such as the job's abort
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

    WaitingRoom room() {
        return room;
    }

    ThreadLevel level() {
        return level;
    }

    void add(Task task) {
        table.add(task);
    }

    /// As [#tryAdvanceAll], for a thread that tests a task: what the callback of that one throws is thrown.
    void advanceAllFor(Task task) {
        if (task.hasTerminated()) {
            return;
        }
        try {
            if (!advanceAll()) {
                pollIdle();
            }
        } catch (RuntimeException | Error e) {
            if (task.hasThrown(e)) {
                throw e;
            }
            handOver(e);
        }
    }

    boolean advanceAll() {
        return table.sweep();
    }
}
