// SPDX-License-Identifier: Apache-2.0

/// Starts the PEs of a job, as processes or as threads, passes on what they print, and watches how they end.
@SuppressWarnings("module") // its friends are built after it
module coterie.launch {
    requires transitive coterie;
    requires static java.management;
    requires static org.jspecify;

    exports coterie.internal.launch to
            coterie.cli,
            coterie.diagnosis,
            coterie.junit,
            coterie.trace;

    uses coterie.internal.launch.JobWatcher.Provider;
    uses coterie.spi.Simulator.Provider;

    provides coterie.internal.world.Launcher with
            coterie.internal.launch.CurrentJvm;
}
