// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.mapped.MemoryLimit;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Libc;
import coterie.internal.world.LaunchedPe;
import coterie.spi.Simulator;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.IntConsumer;

/// The simulator of a host, and the services that the simulator uses.
final class SimulationHost implements Simulator.Host {
    private static final long ALIGNMENT = 1L << 30;

    private final JobSegment segment;
    private final PeStreams streams;
    private final KillListener killListener;
    private final RunBarrier runBarrier;
    private final Simulator simulator;
    private boolean told;

    /// Receives the PEs that the simulator has killed.
    interface KillListener {
        void killed(int pe, String why);
    }

    /// Opens the simulator.
    ///
    /// @throws IllegalArgumentException if there is no simulator of this name, or its script is invalid
    SimulationHost(String name, String script, JobSegment segment, PeStreams streams, KillListener killListener) {
        this.segment = segment;
        this.streams = streams;
        this.killListener = killListener;
        this.runBarrier = new RunBarrier(segment.size());
        this.simulator = SimulatorDiscovery.find(name).open(segment.size(), script, this);
    }

    /// Returns the description of a PE that this simulator runs.
    ///
    /// @param failure records the failure of a PE that makes itself fail
    LaunchedPe place(int pe, Path path, IntConsumer failure) {
        return new SimulationSession.SimulatedBootstrap(
                pe, segment.size(), path, new SimulationSession(simulator, runBarrier, pe), failure);
    }

    /// Sends the launcher the script that replays the run. Only the first call sends it.
    synchronized void report() {
        if (!told) {
            told = true;
            streams.notice(simulator.story());
        }
    }

    /// Returns whether the run of the calling thread has ended; the host then ignores the thread's exceptions.
    boolean hasTerminated() {
        return simulator.hasTerminated();
    }

    void close() {
        simulator.close();
    }

    @Override
    public MemorySegment memory(long byteSize) {
        int descriptor = Libc.memfd("coterie-stage", byteSize);
        try {
            return AddressSpace.ALL.asSlice(Libc.mapShared(descriptor, byteSize, ALIGNMENT), byteSize);
        } finally {
            Libc.close(descriptor);
        }
    }

    @Override
    public Optional<String> refusal(long byteSize) {
        return MemoryLimit.tightest().refusal(byteSize, byteSize * segment.size(), segment.size());
    }

    @Override
    public int node(int pe) {
        return segment.node(pe);
    }

    @Override
    public void killed(int pe, String why) {
        runBarrier.close();
        killListener.killed(pe, why);
    }

    @Override
    public void print(String text) {
        System.err.println("coterie: " + text);
    }

    @Override
    public String activities() {
        return JobReport.lines(segment);
    }
}
