// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;
import coterie.sim.network.SimConduit;
import coterie.sim.network.SimulatedMemory;
import coterie.sim.schedule.SchedulingStrategy;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.Conduit;
import coterie.spi.Network;
import coterie.spi.Simulator;
import coterie.spi.WaitStrategy;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The stage of the simulated network: one [SimulationRun] after another, in the same memory.
final class NetworkSimulator implements Simulator {
    private final int size;
    private final SimulationOptions options;
    private final Host host;
    private final SimulatedMemory memory;
    private final Watchdog watchdog;
    private final Object door = new Object();

    /// The performance that is on, or is about to begin.
    private @Nullable SimulationRun current;

    private @Nullable SimulationRun latest;

    NetworkSimulator(int size, SimulationOptions options, Host host) {
        this.size = size;
        this.options = options;
        this.host = host;
        this.memory = new SimulatedMemory(size, host::memory, host::refusal);
        this.watchdog = new Watchdog(host, options.watchdogSeconds());
    }

    @Override
    public Network network(int pe) {
        return new Network() {
            @Override
            public Conduit open(long syncBytes) {
                SimulationRun run = run();
                return new SimConduit(run.network(), pe, syncBytes, run.observer(pe), watchdog.thread());
            }

            @Override
            public WaitStrategy waitStrategy() {
                return new SimWaitStrategy(run().scheduler(), pe);
            }
        };
    }

    private SimulationRun run() {
        return Objects.requireNonNull(current, "no performance is on; a PE that joins must have entered the stage");
    }

    @Override
    public void enter(int pe, String settings) {
        SimulationRun mine;
        boolean last;
        synchronized (door) {
            if (current == null) {
                current = new SimulationRun(size, options.with(SimulationOptions.parse(settings)), memory, host);
                latest = current;
            }
            mine = current;
            last = mine.join(pe);
        }
        if (last) {
            watchdog.watch(mine.scheduler());
        }
        mine.play(pe, last);
    }

    @Override
    public void leave(int pe, Optional<Throwable> thrown) {
        SimulationRun mine = run();
        synchronized (door) {
            if (mine.go(pe)) {
                current = null;
                watchdog.rest();
            }
        }
        mine.leave(pe);
    }

    /// Begins or ends the part of a performance whose order a chooser decides; see [SimulationScheduler#part].
    void part(int pe, @Nullable SchedulingStrategy strategy) {
        run().scheduler().part(pe, strategy);
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
    public boolean hasTerminated() {
        return current == null;
    }

    @Override
    public void close() {
        watchdog.close();
    }

    /// How a PE waits: until something arrives, or its time is over.
    private static final class SimWaitStrategy implements WaitStrategy {
        private final SimulationScheduler scheduler;
        private final int pe;

        SimWaitStrategy(SimulationScheduler scheduler, int pe) {
            this.scheduler = scheduler;
            this.pe = pe;
        }

        @Override
        public int spins() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return scheduler.time(pe);
        }

        @Override
        public void idle(long waitedNanos, long leftNanos) {
            scheduler.await(pe, leftNanos);
        }
    }

    static CoterieException failed(String what, Exception cause) {
        return new CoterieException(what, cause);
    }
}
