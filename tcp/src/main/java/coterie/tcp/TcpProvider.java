// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.layer.Field;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import coterie.spi.SettingsProvider;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Opens conduits over TCP.
public final class TcpProvider implements Conduit.Provider, SettingsProvider {
    static final String NAME = "tcp";

    /// The setting with the number of connections to each peer.
    static final String CONNECTIONS = "TCP_CONNECTIONS";

    /// A connection keeps its messages in order, a lock serves all threads, and a thread of the conduit applies
    /// the messages of peers.
    static final Set<Conduit.Capability> CAPABILITIES = Set.of(
            Conduit.Capability.ORDERED,
            Conduit.Capability.THREADS,
            Conduit.Capability.PASSIVE_TARGET,
            Conduit.Capability.ENCRYPTED);

    /// For the service loader.
    public TcpProvider() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Conduit.Capability> capabilities() {
        return CAPABILITIES;
    }

    /// A conduit over a library for networks comes first where the library is installed.
    @Override
    public int preference() {
        return -1;
    }

    @Override
    public String missing() {
        return "";
    }

    @Override
    public Optional<String> refusal(PeJob job) {
        if (job.sharedKey(NAME).isEmpty()) {
            return Optional.of("the job has no secret by which its PEs can prove themselves to each other");
        }
        Optional<InetAddress> address = job.hostAddress();
        if (address.isEmpty()) {
            return Optional.of("the job does not know the address of this host in the network of its hosts");
        }
        return address.filter(each -> each instanceof Inet6Address && each.isLinkLocalAddress())
                .map(each -> each.getHostAddress() + ", by which the job knows this host, is an address of one link,"
                        + " whose zone differs from host to host; let the coordinator listen on a unique local (fd00::)"
                        + " or a global address");
    }

    @Override
    public List<Field> settings() {
        return List.of(
                new Field(
                        CONNECTIONS,
                        "1",
                        "connections of conduit tcp between two PEs, 1 … " + Rail.MOST
                                + ", by which payloads from 256 KiB on are divided: more where a network limits the rate of one; the smaller number of the two PEs counts"));
    }

    @Override
    public Conduit open(ConduitContext context) {
        return new TcpConduit(context);
    }
}
