// SPDX-License-Identifier: Apache-2.0

/// The Coterie runtime: processing elements, symmetric memory, one-sided operations and collectives.
@SuppressWarnings("module") // its friends are built after it
module coterie {
    requires static org.jspecify;
    requires jdk.jfr;

    exports coterie;
    exports coterie.channel;
    exports coterie.collective;
    exports coterie.layer;
    exports coterie.spi;
    exports coterie.internal.component to
            coterie.launch;
    exports coterie.internal.kernel to
            coterie.launch;
    exports coterie.internal.layer to
            coterie.launch;
    exports coterie.internal.mapped to
            coterie.launch;
    exports coterie.internal.memory to
            coterie.launch;
    exports coterie.internal.posix to
            coterie.launch;
    exports coterie.internal.record to
            coterie.diagnosis,
            coterie.launch;
    exports coterie.internal.trace to
            coterie.trace;
    exports coterie.internal.wait to
            coterie.launch;
    exports coterie.internal.world to
            coterie.launch;

    uses coterie.internal.world.Launcher;
    uses coterie.layer.CollectiveLayer;
    uses coterie.layer.TransportLayer;
    uses coterie.spi.Accelerator;
    uses coterie.spi.Bootstrap;
    uses coterie.spi.Conduit.Provider;
    uses coterie.spi.KernelProvider;
    uses coterie.spi.SettingsProvider;
}
