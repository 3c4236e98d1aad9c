// SPDX-License-Identifier: Apache-2.0

/// The Coterie runtime: processing elements, symmetric memory, one-sided operations and collectives.
@SuppressWarnings("module") // its friends are built after it
module coterie {
    requires static org.jspecify;
    requires jdk.jfr;
    requires static java.management;

    exports coterie;
    exports coterie.collective;
    exports coterie.layer;
    exports coterie.spi;
    exports coterie.internal.launch to
            coterie.cli,
            coterie.diagnosis,
            coterie.junit,
            coterie.trace;
    exports coterie.internal.record to
            coterie.diagnosis;
    exports coterie.internal.trace to
            coterie.trace;

    uses coterie.internal.launch.JobWatcher.Provider;
    uses coterie.layer.CollectiveLayer;
    uses coterie.layer.TransportLayer;
    uses coterie.spi.Accelerator;
    uses coterie.spi.Bootstrap;
    uses coterie.spi.Conduit.Provider;
    uses coterie.spi.KernelProvider;
    uses coterie.spi.Simulator.Provider;
}
