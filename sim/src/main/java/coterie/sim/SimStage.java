// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;
import coterie.sim.network.Memory;
import coterie.sim.network.SimConduit;
import coterie.sim.schedule.Chooser;
import coterie.sim.schedule.Schedule;
import coterie.spi.Conduit;
import coterie.spi.Network;
import coterie.spi.WaitStrategy;
import coterie.spi.Simulator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The stage of the simulated network: one [Performance] after another, in the same memory.
final class SimStage implements Simulator {
    private final int size;
    private final Script script;
    private final Host host;
    private final Memory memory;
    private final Watchdog watchdog;
    private final Object door = new Object();

    /// The performance that is on, or is about to begin.
    private @Nullable Performance current;

    private @Nullable Performance latest;

    SimStage(int size, Script script, Host host) {
        this.size = size;
        this.script = script;
        this.host = host;
        this.memory = new Memory(size, host::memory, host::refusal);
        this.watchdog = new Watchdog(host, script.watchdogSeconds());
    }

    @Override
    public Network network(int pe) {
        return new Network() {
            @Override
            public Conduit open(long syncBytes) {
                Performance performance = performance();
                return new SimConduit(performance.network(), pe, syncBytes, performance.observer(pe), watchdog.thread());
            }

            @Override
            public WaitStrategy waitStrategy() {
                return new SimScheduler(performance().schedule(), pe);
            }
        };
    }

    private Performance performance() {
        return Objects.requireNonNull(current, "no performance is on; a PE that joins must have entered the stage");
    }

    @Override
    public void enter(int pe, String settings) {
        Performance mine;
        boolean last;
        synchronized (door) {
            if (current == null) {
                current = new Performance(size, script.with(Script.parse(settings)), memory, host);
                latest = current;
            }
            mine = current;
            last = mine.come(pe);
        }
        if (last) {
            watchdog.watch(mine.schedule());
        }
        mine.play(pe, last);
    }

    @Override
    public void leave(int pe, Optional<Throwable> thrown) {
        Performance mine = performance();
        synchronized (door) {
            if (mine.go(pe)) {
                current = null;
                watchdog.rest();
            }
        }
        mine.leave(pe);
    }

    /// Begins or ends the part of a performance whose order a chooser decides; see [Schedule#part].
    void part(int pe, @Nullable Chooser chooser) {
        performance().schedule().part(pe, chooser);
    }

    @Override
    public String story() {
        return latest == null ? "" : latest.story();
    }

    /// A number that two performances share if they have had the same events at the same times.
    String digest() {
        return latest == null ? "" : latest.digest();
    }

    @Override
    public boolean isOver() {
        return current == null;
    }

    @Override
    public void close() {
        watchdog.close();
    }

    /// How a PE waits: until something arrives, or its time is over.
    private static final class SimScheduler implements WaitStrategy {
        private final Schedule schedule;
        private final int pe;

        SimScheduler(Schedule schedule, int pe) {
            this.schedule = schedule;
            this.pe = pe;
        }

        @Override
        public int spins() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return schedule.time(pe);
        }

        @Override
        public void idle(long waitedNanos, long leftNanos) {
            schedule.await(pe, leftNanos);
        }
    }

    static CoterieException failed(String what, Exception cause) {
        return new CoterieException(what, cause);
    }
}
