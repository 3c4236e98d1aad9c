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

/// The simulator behind `--conduit sim`: it executes one [SimulationRun] after another, in the same memory.
final class NetworkSimulator implements Simulator {
    private final int size;
    private final SimulationOptions options;
    private final Host host;
    private final SimulatedMemory memory;
    private final Watchdog watchdog;
    private final Object lock = new Object();

    /// The run that PEs enter or are in; null between runs.
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
        return Objects.requireNonNull(
                current, "sim: no run is in progress; a PE enters the simulator before it joins a world");
    }

    @Override
    public void enter(int pe, String settings) {
        SimulationRun run;
        boolean last;
        synchronized (lock) {
            if (current == null) {
                current = new SimulationRun(size, options.with(SimulationOptions.parse(settings)), memory, host);
                latest = current;
            }
            run = current;
            last = run.join(pe);
        }
        if (last) {
            watchdog.watch(run.scheduler());
        }
        run.awaitFirstTurn(pe, last);
    }

    @Override
    public void leave(int pe, Optional<Throwable> thrown) {
        SimulationRun run = run();
        synchronized (lock) {
            if (run.markLeft(pe)) {
                current = null;
                watchdog.unwatch();
            }
        }
        run.leave(pe);
    }

    /// Switches the strategy that decides the order of events; see [SimulationScheduler#switchStrategy].
    void switchStrategy(int pe, @Nullable SchedulingStrategy strategy) {
        run().scheduler().switchStrategy(pe, strategy);
    }

    @Override
    public String story() {
        return latest == null ? "" : latest.story();
    }

    /// Returns a number that is equal for two runs with the same events at the same times.
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

    /// A PE waits until a message arrives or its time is over.
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
