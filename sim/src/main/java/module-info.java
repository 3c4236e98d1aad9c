// SPDX-License-Identifier: Apache-2.0

/// A simulated network: all PEs of a job are in one JVM, one of them runs at a time, time is virtual, and messages
/// arrive in any order that the contract allows.
module coterie.sim {
    requires transitive coterie;
    requires static org.jspecify;

    exports coterie.sim;

    provides coterie.spi.Simulator.Provider with
            coterie.sim.SimProvider;
}
