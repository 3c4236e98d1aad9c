// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.io.IOException;
import java.nio.channels.ScatteringByteChannel;

/// Reads one connection. The engine's lock guards it.
interface LinkReader {
    /// Reads of one connection before the next one gets its turn.
    int MOST_READS = 16;

    /// Reads what has arrived and is awaited. Returns whether that is anything.
    ///
    /// @throws java.io.EOFException if the peer has closed the connection
    /// @throws java.net.ProtocolException if a message is not one of this protocol, or leaves this PE's memory
    boolean read(ScatteringByteChannel socket) throws IOException;

    /// Returns whether a [#read] takes bytes now.
    boolean isReading();
}
