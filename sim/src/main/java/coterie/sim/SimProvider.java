// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.spi.Stage;

/// Makes simulated networks, for `--conduit sim`.
public final class SimProvider implements Stage.Provider {
    /// For the service loader.
    public SimProvider() {}

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public Stage open(int size, String script, Stage.Host host) {
        return new SimStage(size, Script.parse(script), host);
    }
}
