// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.layer.Configuration;
import coterie.layer.Field;
import coterie.layer.LayerLibrary;
import coterie.layer.TransportLayer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/// The transport layer `sockets`: allreduce, allgather and broadcast, over a connection between each two members.
///
/// Its default score is below that of all other components, so it serves only on request: `COTERIE_TLS=sockets` or
/// `COTERIE_TL_SOCKETS_TUNE=allreduce:inf`.
public final class SocketLayer implements TransportLayer {
    static final String NAME = "sockets";
    static final String HOST = "HOST";
    static final String BUFFER_KIB = "BUFFER_KIB";
    static final String MOST_MEMBERS = "MOST_MEMBERS";
    static final int SCORE = 5;

    /// For the service loader.
    public SocketLayer() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int defaultScore() {
        return SCORE;
    }

    @Override
    public List<Field> fields() {
        return List.of(
                new Field(HOST, "127.0.0.1", "name or address of this machine, by which other PEs connect"),
                new Field(BUFFER_KIB, "256", "buffer of a connection in each direction, in KiB, 4 … 1048576"),
                new Field(
                        MOST_MEMBERS,
                        "64",
                        "members of the largest team that it serves, 1 … 4096: each two have a connection"));
    }

    @Override
    public LayerLibrary open(Configuration configuration) {
        int bufferBytes = (int) configuration.number(BUFFER_KIB, 4, 1 << 20) * 1024;
        int mostMembers = (int) configuration.number(MOST_MEMBERS, 1, 4096);
        return new SocketLibrary(configuration.logger(), host(configuration), bufferBytes, mostMembers);
    }

    private static String host(Configuration configuration) {
        String host = configuration.text(HOST);
        try {
            InetAddress.getByName(host);
            return host;
        } catch (UnknownHostException e) {
            IllegalArgumentException refusal = configuration.invalidValue(HOST, "a name or an address of this machine");
            refusal.addSuppressed(e);
            throw refusal;
        }
    }
}
