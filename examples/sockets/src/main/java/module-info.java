// SPDX-License-Identifier: Apache-2.0

/// A transport layer over TCP sockets: an example of how to write one.
module coterie.sockets {
    requires coterie;
    requires static org.jspecify;

    provides coterie.layer.TransportLayer with
            coterie.sockets.SocketLayer;
}
