// SPDX-License-Identifier: Apache-2.0

/// A conduit over loopback sockets: an example of how to write one.
module coterie.loopback {
    requires coterie;
    requires static org.jspecify;

    provides coterie.spi.Conduit.Provider with
            coterie.loopback.LoopbackProvider;
}
