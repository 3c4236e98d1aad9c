// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.ucx.libucp.LibUcp;
import java.util.Set;

/// Opens conduits over UCX, where libucp is installed.
public final class UcxProvider implements Conduit.Provider {
    static final String NAME = "ucx";

    /// A lock serves all threads, and a thread of the conduit executes the operations of peers.
    static final Set<Conduit.Capability> CAPABILITIES =
            Set.of(Conduit.Capability.THREADS, Conduit.Capability.PASSIVE_TARGET);

    private final String library;

    /// For the service loader.
    public UcxProvider() {
        this(LibUcp.NAME);
    }

    /// @param library that [#missing] looks for
    UcxProvider(String library) {
        this.library = library;
    }

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
        return LibUcp.missing(library);
    }

    /// Returns UCX's version and the transports that it has found, with their devices.
    @Override
    public String description() {
        return Transports.found();
    }

    @Override
    public Conduit open(ConduitContext context) {
        return new UcxConduit(context);
    }
}
