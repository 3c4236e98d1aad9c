// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.world.LaunchedPe;
import coterie.internal.world.PeThreadGroup;
import coterie.spi.Network;
import coterie.spi.Simulator;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/// A PE's part in the simulated runs of this JVM: one run after another, until one fails.
///
/// The PE's main thread uses it. If the whole program is one run, the host begins and ends this run. Otherwise,
/// see [JobSpec.SimulatorSpec.RunScope], the program begins and ends as many runs as it wants; all PEs begin and
/// end the same number of runs.
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

    /// Returns the session of the calling thread's PE.
    ///
    /// @throws IllegalStateException if the PE runs in no simulator
    public static SimulationSession mine() {
        PeThreadGroup threadGroup = PeThreadGroup.current();
        if (threadGroup != null && threadGroup.bootstrap() instanceof SimulatedBootstrap simulatedBootstrap) {
            return simulatedBootstrap.session;
        }
        throw new IllegalStateException("simulated run of " + Thread.currentThread() + ": no simulator runs its PE");
    }

    /// Waits until all PEs have arrived, and then until the simulator lets this PE run. The PE must not have a
    /// world open.
    ///
    /// @param script settings of this run, which override those of the job; the same on all PEs
    /// @return whether a run has begun; false after a run in which a PE has failed
    public boolean begin(String script) {
        if (!runBarrier.pass()) {
            return false;
        }
        simulator.enter(pe, script);
        playing = true;
        return true;
    }

    /// Ends the PE's part in the run; the other PEs go on.
    ///
    /// @param thrown the exception that ended the PE's program, or null if it ended well
    public void end(@Nullable Throwable thrown) {
        if (thrown != null) {
            runBarrier.close();
        }
        if (playing) {
            playing = false;
            simulator.leave(pe, Optional.ofNullable(thrown));
        }
    }

    /// Returns the script that replays the latest run, up to the present event.
    public String story() {
        return simulator.story();
    }

    /// Returns whether callers must report what this PE throws now; false if the simulator has ended its run.
    public boolean isRelevant() {
        return !playing || !simulator.hasTerminated();
    }

    /// The description of a PE that a simulator runs.
    record SimulatedBootstrap(int pe, int size, Path segment, SimulationSession session, IntConsumer failure)
            implements LaunchedPe {
        @Override
        public void fail() {
            failure.accept(pe);
        }

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
