// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.trace.PeTracer;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Capability;
import coterie.spi.PeJob;
import coterie.spi.WaitStrategy;

/// Makes the runtime of a PE, by the settings.
final class WorldRuntime {
    private WorldRuntime() {}

    static PeRuntime of(WorldJob worldJob, Conduit conduit, WaitStrategy strategy, PeTracer tracer, String faults) {
        PeRuntime runtime = new PeRuntime(
                worldJob.job,
                worldJob.page,
                strategy,
                conduit,
                new Counters(tracer),
                milliseconds(Setting.WAIT_EVENT_MS),
                faults);
        runtime.memory(worldJob.memory);
        return runtime;
    }

    /// Returns how the PEs of a job wait over a conduit of this machine.
    static WaitStrategy strategy(PeJob job, Conduit conduit) {
        Integer spins = Setting.SPINS.number();
        MachineWaitStrategy strategy = spins == null
                ? new MachineWaitStrategy(job.sharingPes(), job.usableCpus())
                : new MachineWaitStrategy(job.sharingPes(), job.usableCpus(), spins);
        strategy = conduit.capabilities().contains(Capability.DIRECT) ? strategy : strategy.withNetwork();
        return conduit.capabilities().contains(Capability.PASSIVE_TARGET) ? strategy : strategy.withShortNaps();
    }

    private static long milliseconds(Setting setting) {
        Integer value = setting.number();
        return value == null ? Long.MAX_VALUE : value * 1_000_000L;
    }
}
