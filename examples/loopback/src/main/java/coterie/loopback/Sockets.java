// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;

/// Closes sockets.
final class Sockets {
    private Sockets() {}

    static void close(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a loopback socket", e);
        }
    }
}
