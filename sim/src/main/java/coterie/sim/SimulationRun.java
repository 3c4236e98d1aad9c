// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

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

/// One run of a program: a schedule, a network and its departures, from nothing to the end.
final class SimulationRun implements SimulationScheduler.Troubles {
    private final int size;
    private final SimulationOptions options;
    private final Simulator.Host host;
    private final SimulationScheduler scheduler;
    private final SimNetwork network;
    private final Perturbation perturbation;
    private final EventTrace trace;
    private final @Nullable RaceDetector raceDetector;
    private final SimulatedTask[] tasks;
    private final BitSet here = new BitSet();
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
            throw NetworkSimulator.failed("sim: can't write trace=" + file, e);
        }
    }

    SimulationScheduler scheduler() {
        return scheduler;
    }

    SimNetwork network() {
        return network;
    }

    /// What the race detector wants to know of a PE, or null.
    @Nullable
    AccessObserver observer(int pe) {
        return raceDetector == null ? null : raceDetector.observer(pe);
    }

    /// The calling thread is the PE's; returns whether all are here now.
    boolean join(int pe) {
        tasks[pe] = scheduler.open(pe);
        here.set(pe);
        return here.cardinality() == size;
    }

    /// Returns when it is the PE's turn.
    void play(int pe, boolean last) {
        if (last) {
            scheduler.begin();
        }
        scheduler.awaitTurn(tasks[pe]);
    }

    /// Returns whether the PE is the last one to leave.
    boolean go(int pe) {
        here.clear(pe);
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
        return new DeadlockException("deadlock after " + time + " ns of virtual time: nobody can go on, and nothing is"
                + " under way" + (lost == 0 ? "" : "; a cut link has lost " + lost + " messages") + "\n"
                + host.doings().stripTrailing());
    }

    @Override
    public RuntimeException futile(int pe, long time) {
        return new DeadlockException("PE " + pe + " polls for ever: after " + time
                + " ns of virtual time nothing is under way, and nobody else can go on\n"
                + host.doings().stripTrailing());
    }
}
