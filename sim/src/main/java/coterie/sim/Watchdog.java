// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.sim.schedule.SimulatedTask;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.Simulator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Looks from outside whether the PE that has the stage does anything there, by the real clock.
///
/// A PE that stands still outside of the stage, to join a thread of its own for instance, loses its turn to that
/// thread. One that does nothing for long is named, and where it is: most often it spins on memory that can't
/// change while it does. After six times as long it is killed, since the job would hang for ever.
final class Watchdog implements AutoCloseable {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long STANDING_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int FRAMES = 12;
    private static final int PATIENCE = 6;

    private final Simulator.Host host;
    private final long limitNanos;
    private final Thread thread;
    private volatile @Nullable SimulationScheduler watched;
    private volatile boolean closed;

    private @Nullable SimulatedTask suspect;
    private long steps;
    private long since;
    private boolean named;

    Watchdog(Simulator.Host host, long seconds) {
        this.host = host;
        this.limitNanos = seconds == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(seconds);
        this.thread = Thread.ofPlatform().daemon().name("coterie sim watchdog").unstarted(this::look);
        thread.start();
    }

    /// Its thread, which is no PE's.
    Thread thread() {
        return thread;
    }

    void watch(SimulationScheduler scheduler) {
        watched = scheduler;
        LockSupport.unpark(thread);
    }

    void rest() {
        watched = null;
    }

    private void look() {
        while (!closed) {
            SimulationScheduler scheduler = watched;
            if (scheduler == null) {
                LockSupport.park(this);
                suspect = null;
            } else {
                LockSupport.parkNanos(this, LOOK_NANOS);
                scheduler.judge();
                scheduler.relieve(System.nanoTime() - since > STANDING_NANOS);
                look(scheduler.running());
            }
        }
    }

    private void look(@Nullable SimulatedTask task) {
        if (task == null || task.pe() < 0 || !task.equals(suspect) || task.steps() != steps) {
            suspect = task;
            steps = task == null ? 0 : task.steps();
            since = System.nanoTime();
            named = false;
            return;
        }
        long idle = System.nanoTime() - since;
        if (idle > limitNanos && !named) {
            named = true;
            host.print(description(task, idle));
        }
        if (limitNanos < Long.MAX_VALUE && idle > PATIENCE * limitNanos) {
            since = System.nanoTime();
            host.killed(task.pe(), description(task, idle));
        }
    }

    private static String description(SimulatedTask task, long idle) {
        StringBuilder text = new StringBuilder("PE ")
                .append(task.pe())
                .append(" spins outside of the waiting room: for ")
                .append(TimeUnit.NANOSECONDS.toSeconds(idle))
                .append(" s it has neither started an operation nor waited, and nothing arrives meanwhile;")
                .append(" it is at");
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
