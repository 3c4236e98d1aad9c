// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import coterie.ThreadLevel;
import coterie.collective.CollectiveType;
import coterie.layer.Attributes;
import coterie.layer.LayerContext;
import coterie.layer.LayerLibrary;
import java.util.List;
import java.util.Map;

/// The layer as it is configured.
record SocketLibrary(System.Logger logger, String host, int bufferBytes, int mostMembers) implements LayerLibrary {
    static final String LINEAR = "linear";

    @Override
    public Attributes attributes() {
        List<String> only = List.of(LINEAR);
        return new Attributes(
                        Map.of(
                                CollectiveType.ALL_REDUCE, only,
                                CollectiveType.ALL_GATHER, only,
                                CollectiveType.BROADCAST, only),
                        ThreadLevel.MULTIPLE,
                        1,
                        mostMembers)
                .withDescription(LINEAR, "each member sends its bytes to all others, a root to all members");
    }

    @Override
    public LayerContext open() {
        return new SocketContext(this);
    }
}
