// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.DeadlockException;
import coterie.sim.network.EventTrace;
import coterie.sim.network.NetworkModel;
import coterie.sim.network.Perturbation;
import coterie.sim.network.SimNetwork;
import coterie.sim.network.SimulatedMemory;
import coterie.sim.race.RaceDetector;
import coterie.sim.schedule.SimulatedTask;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.AccessObserver;
import coterie.spi.Simulator;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// One run of a program: it has its own schedule, network and perturbations, and the job's memory.
final class SimulationRun implements SimulationScheduler.StallExceptions {
    private final int size;
    private final SimulationOptions options;
    private final Simulator.Host host;
    private final SimulationScheduler scheduler;
    private final SimNetwork network;
    private final Perturbation perturbation;
    private final EventTrace trace;
    private final @Nullable RaceDetector raceDetector;
    private final SimulatedTask[] tasks;
    private final BitSet joined = new BitSet();
    private int left;

    SimulationRun(int size, SimulationOptions options, SimulatedMemory memory, Simulator.Host host) {
        this.size = size;
        this.options = options;
        this.host = host;
        this.tasks = new SimulatedTask[size];
        NetworkModel model = options.model(SimulationOptions.nodes(size, host::node));
        this.scheduler = new SimulationScheduler(size, model.lookahead(), this);
        this.perturbation = options.perturbation(model.far().latency());
        this.raceDetector = options.racesOn(size) ? new RaceDetector(size) : null;
        this.trace = new EventTrace(lines(options.trace()));
        this.network = new SimNetwork(
                size, model, perturbation, memory, scheduler, raceDetector, (pe, why) -> host.killed(pe, why), trace);
    }

    private static @Nullable PrintWriter lines(String file) {
        try {
            return file.isEmpty()
                    ? null
                    : new PrintWriter(Files.newBufferedWriter(Path.of(file), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw NetworkSimulator.failed("sim: trace=" + file + " can't be written", e);
        }
    }

    SimulationScheduler scheduler() {
        return scheduler;
    }

    SimNetwork network() {
        return network;
    }

    /// Returns the observer by which the race detector follows a PE's accesses to its own memory, or null.
    @Nullable
    AccessObserver observer(int pe) {
        return raceDetector == null ? null : raceDetector.observer(pe);
    }

    /// Makes the calling thread the PE's main one. Returns whether all PEs have joined.
    boolean join(int pe) {
        tasks[pe] = scheduler.open(pe);
        joined.set(pe);
        return joined.cardinality() == size;
    }

    /// Returns at the PE's first turn; the last PE to join starts the schedule.
    void awaitFirstTurn(int pe, boolean last) {
        if (last) {
            scheduler.begin();
        }
        scheduler.awaitTurn(tasks[pe]);
    }

    /// Notes that the PE leaves. Returns whether all have left.
    boolean markLeft(int pe) {
        joined.clear(pe);
        return ++left == size;
    }

    void leave(int pe) {
        trace.flush();
        scheduler.leave(tasks[pe]);
    }

    String story() {
        return options.story(perturbation.schedule());
    }

    String digest() {
        return trace.digest();
    }

    @Override
    public RuntimeException deadlock(long time) {
        long lost = network.lost();
        return new DeadlockException("deadlock after " + time
                + " ns of virtual time: no PE can continue, and no message is in flight"
                + (lost == 0 ? "" : "; messages lost by cut links: " + lost) + "\n"
                + host.activities().stripTrailing());
    }

    @Override
    public RuntimeException endlessPolling(int pe, long time) {
        return new DeadlockException("PE " + pe + " polls for a change that can't happen: after " + time
                + " ns of virtual time no message is in flight, and no other PE can continue\n"
                + host.activities().stripTrailing());
    }
}
