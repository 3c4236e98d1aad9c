// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.sim.network.Memory;
import coterie.sim.network.Model;
import coterie.sim.network.Perturbation;
import coterie.sim.network.SimNetwork;
import coterie.sim.network.Tape;
import coterie.sim.race.Races;
import coterie.sim.schedule.Schedule;
import coterie.sim.schedule.Task;
import coterie.spi.Simulator;
import coterie.spi.AccessObserver;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// One run of a program: a schedule, a network and its departures, from nothing to the end.
final class Performance implements Schedule.Troubles {
    private final int size;
    private final Script script;
    private final Simulator.Host host;
    private final Schedule schedule;
    private final SimNetwork network;
    private final Perturbation perturbation;
    private final Tape tape;
    private final @Nullable Races races;
    private final Task[] tasks;
    private final BitSet here = new BitSet();
    private int left;

    Performance(int size, Script script, Memory memory, Simulator.Host host) {
        this.size = size;
        this.script = script;
        this.host = host;
        this.tasks = new Task[size];
        Model model = script.model(Script.nodes(size, host::node));
        this.schedule = new Schedule(size, model.lookahead(), this);
        this.perturbation = script.perturbation(model.far().latency());
        this.races = script.racesOn(size) ? new Races(size) : null;
        this.tape = new Tape(lines(script.trace()));
        this.network = new SimNetwork(
                size, model, perturbation, memory, schedule, races, (pe, why) -> host.killed(pe, why), tape);
    }

    private static @Nullable PrintWriter lines(String file) {
        try {
            return file.isEmpty()
                    ? null
                    : new PrintWriter(Files.newBufferedWriter(Path.of(file), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw SimStage.failed("sim: can't write trace=" + file, e);
        }
    }

    Schedule schedule() {
        return schedule;
    }

    SimNetwork network() {
        return network;
    }

    /// What the race detector wants to know of a PE, or null.
    @Nullable
    AccessObserver observer(int pe) {
        return races == null ? null : races.observer(pe);
    }

    /// The calling thread is the PE's; returns whether all are here now.
    boolean come(int pe) {
        tasks[pe] = schedule.open(pe);
        here.set(pe);
        return here.cardinality() == size;
    }

    /// Returns when it is the PE's turn.
    void play(int pe, boolean last) {
        if (last) {
            schedule.begin();
        }
        schedule.awaitTurn(tasks[pe]);
    }

    /// Returns whether the PE is the last one to leave.
    boolean go(int pe) {
        here.clear(pe);
        return ++left == size;
    }

    void leave(int pe) {
        tape.flush();
        schedule.leave(tasks[pe]);
    }

    String story() {
        return script.story(perturbation.schedule());
    }

    String digest() {
        return tape.digest();
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
