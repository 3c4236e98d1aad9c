// SPDX-License-Identifier: Apache-2.0

/// A simulated network: all PEs of a job in one JVM, one at a time, in virtual time, with messages that arrive in
/// any order the contract allows.
module coterie.sim {
    requires transitive coterie;
    requires static org.jspecify;

    exports coterie.sim;

    provides coterie.spi.Simulator.Provider with
            coterie.sim.SimProvider;
}
