// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.spi.Simulator;

/// Opens network simulators, for `--conduit sim`.
public final class SimProvider implements Simulator.Provider {
    /// For the service loader.
    public SimProvider() {}

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Simulator open(int size, String script, Simulator.Host host) {
        return new NetworkSimulator(size, SimulationOptions.parse(script), host);
    }
}
