// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import coterie.cluster.ListenAddress;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import java.util.Set;

/// The conduit of the module `loopback` at an address that other hosts reach, for tests of jobs on several hosts.
public final class WireProvider implements Conduit.Provider {
    /// The environment variable with the network of the hosts.
    public static final String NETWORK = "WIRE_NETWORK";

    /// For the service loader.
    public WireProvider() {}

    @Override
    public String name() {
        return "wire";
    }

    @Override
    public Set<Conduit.Capability> capabilities() {
        return LoopbackProvider.CAPABILITIES;
    }

    @Override
    public String missing() {
        return "";
    }

    @Override
    public Conduit open(ConduitContext context) {
        return new LoopbackConduit(context, ListenAddress.of(System.getenv().getOrDefault(NETWORK, "127.0.0.1")));
    }
}
