// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import java.io.IOException;
import java.nio.channels.Channel;
import org.jspecify.annotations.Nullable;

/// Closes channels that are not needed any more.
final class Channels {
    private static final System.Logger LOGGER = System.getLogger("coterie.sockets");

    private Channels() {}

    /// Closes a channel. That it could not be is told with the reason that it had to be, or logged where there is
    /// none.
    static void close(@Nullable Channel channel, @Nullable IOException reason) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            if (reason == null) {
                LOGGER.log(System.Logger.Level.WARNING, channel + " has not closed well", e);
            } else {
                reason.addSuppressed(e);
            }
        }
    }
}
