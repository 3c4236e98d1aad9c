// SPDX-License-Identifier: Apache-2.0

/// The Coterie runtime: processing elements, symmetric memory, one-sided operations and collectives.
@SuppressWarnings("module") // the two friends are built after it
module coterie {
    requires static org.jspecify;
    requires jdk.jfr;
    requires static java.management;

    exports coterie;
    exports coterie.collective;
    exports coterie.spi;
    exports coterie.internal.launch to
            coterie.cli,
            coterie.junit;

    uses coterie.spi.Stage.Provider;
}
