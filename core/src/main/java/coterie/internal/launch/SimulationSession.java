// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import coterie.spi.Network;
import coterie.spi.Simulator;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A PE's part in what is played on the stage of this JVM: one performance after another, until one fails.
///
/// Used by the PE's main thread. The host of a whole program does so itself; a program that asks for it, see
/// [JobSpec.SimulatorSpec.RunScope], begins and ends performances as often as it wants, all PEs the same number of
/// times.
public final class SimulationSession {
    private final Simulator simulator;
    private final RunBarrier runBarrier;
    private final int pe;
    private boolean playing;

    SimulationSession(Simulator simulator, RunBarrier runBarrier, int pe) {
        this.simulator = simulator;
        this.runBarrier = runBarrier;
        this.pe = pe;
    }

    /// That of the calling thread's PE.
    ///
    /// @throws IllegalStateException if it plays on no stage
    public static SimulationSession mine() {
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null && threadGroup.bootstrap() instanceof SimulatedBootstrap simulatedBootstrap) {
            return simulatedBootstrap.session;
        }
        throw new IllegalStateException("performance of " + Thread.currentThread() + ": its PE plays on no stage");
    }

    /// Waits for all PEs to come, and then for this one's turn. A world must not be open.
    ///
    /// @param script settings of this performance, beside those of the job; the same on all PEs
    /// @return whether there is a performance; not after one in which a PE has failed
    public boolean begin(String script) {
        if (!runBarrier.pass()) {
            return false;
        }
        simulator.enter(pe, script);
        playing = true;
        return true;
    }

    /// The PE has done its part; the others play on.
    ///
    /// @param thrown what its program has ended with, if not well
    public void end(@Nullable Throwable thrown) {
        if (thrown != null) {
            runBarrier.close();
        }
        if (playing) {
            playing = false;
            simulator.leave(pe, Optional.ofNullable(thrown));
        }
    }

    /// How to have this performance again, as far as it has come.
    public String story() {
        return simulator.story();
    }

    /// Whether anybody cares for what this PE throws now: not where its performance was given up meanwhile.
    public boolean isRelevant() {
        return !playing || !simulator.hasTerminated();
    }

    /// The place of a PE that plays.
    record SimulatedBootstrap(int pe, int size, Path segment, SimulationSession session) implements LaunchedPe {
        @Override
        public Optional<Network> network() {
            return Optional.of(session.simulator.network(pe));
        }

        @Override
        public String description() {
            return "virtual thread of process " + ProcessHandle.current().pid();
        }
    }
}
