// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import java.net.InetAddress;
import java.util.Set;

/// Opens conduits over the loopback interface, each with a listening socket of its own.
public final class LoopbackProvider implements Conduit.Provider {
    static final String NAME = "loopback";

    /// A connection keeps its order, and one lock serves all threads. A target executes the operations of its peers
    /// only while it calls the runtime.
    static final Set<Conduit.Capability> CAPABILITIES = Set.of(Conduit.Capability.ORDERED, Conduit.Capability.THREADS);

    /// For the service loader.
    public LoopbackProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Conduit.Capability> capabilities() {
        return CAPABILITIES;
    }

    @Override
    public String missing() {
        return ""; // every machine has a loopback interface
    }

    @Override
    public Conduit open(ConduitContext context) {
        return new LoopbackConduit(context, InetAddress.getLoopbackAddress());
    }
}
