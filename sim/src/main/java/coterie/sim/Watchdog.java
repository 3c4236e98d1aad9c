// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.sim.schedule.SimulatedTask;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.Simulator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Observes the running PE by the real clock, in a thread of its own.
///
/// If the PE blocks outside the simulator, for instance in a join of a thread that it started, the watchdog passes
/// its turn to that thread. If the PE starts no operation for `limitNanos`, the watchdog reports it with its
/// stack: usually it spins on memory that can't change meanwhile. After [#KILL_FACTOR] times as long the watchdog
/// kills the PE, because the job would hang.
final class Watchdog implements AutoCloseable {
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long BLOCKED_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int FRAMES = 12;
    private static final int KILL_FACTOR = 6;

    private final Simulator.Host host;
    private final long limitNanos;
    private final Thread thread;
    private volatile @Nullable SimulationScheduler watched;
    private volatile boolean closed;

    private @Nullable SimulatedTask suspect;
    private long steps;
    private long since;
    private boolean reported;

    Watchdog(Simulator.Host host, long seconds) {
        this.host = host;
        this.limitNanos = seconds == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(seconds);
        this.thread = Thread.ofPlatform().daemon().name("coterie sim watchdog").unstarted(this::check);
        thread.start();
    }

    /// Returns the watchdog's thread, which belongs to no PE.
    Thread thread() {
        return thread;
    }

    void watch(SimulationScheduler scheduler) {
        watched = scheduler;
        LockSupport.unpark(thread);
    }

    void unwatch() {
        watched = null;
    }

    private void check() {
        while (!closed) {
            SimulationScheduler scheduler = watched;
            if (scheduler == null) {
                LockSupport.park(this);
                suspect = null;
            } else {
                LockSupport.parkNanos(this, PERIOD_NANOS);
                scheduler.resolveStall();
                scheduler.preempt(System.nanoTime() - since > BLOCKED_NANOS);
                check(scheduler.running());
            }
        }
    }

    private void check(@Nullable SimulatedTask task) {
        if (task == null || task.pe() < 0 || !task.equals(suspect) || task.steps() != steps) {
            suspect = task;
            steps = task == null ? 0 : task.steps();
            since = System.nanoTime();
            reported = false;
            return;
        }
        long idle = System.nanoTime() - since;
        if (idle > limitNanos && !reported) {
            reported = true;
            host.print(description(task, idle));
        }
        if (limitNanos < Long.MAX_VALUE && idle > KILL_FACTOR * limitNanos) {
            since = System.nanoTime();
            host.killed(task.pe(), description(task, idle));
        }
    }

    private static String description(SimulatedTask task, long idle) {
        StringBuilder text = new StringBuilder("PE ")
                .append(task.pe())
                .append(" spins or computes without calling the runtime: for ")
                .append(TimeUnit.NANOSECONDS.toSeconds(idle))
                .append(" s it has started no operation and no wait, and no message can arrive meanwhile;")
                .append(" let it poll by a test or a wait of the runtime; its stack:");
        StackTraceElement[] frames = task.thread().getStackTrace();
        for (int frame = 0; frame < Math.min(FRAMES, frames.length); frame++) {
            text.append(System.lineSeparator()).append("    at ").append(frames[frame]);
        }
        return text.toString();
    }

    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
    }
}
