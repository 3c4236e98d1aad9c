// SPDX-License-Identifier: Apache-2.0
package coterie.sockets;

import java.io.IOException;
import java.nio.channels.Channel;
import org.jspecify.annotations.Nullable;

/// Closes channels that are no longer needed.
final class Channels {
    private static final System.Logger LOGGER = System.getLogger("coterie.sockets");

    private Channels() {}

    /// Closes a channel. A failure of that is added to `reason` or, where there is none, logged.
    static void close(@Nullable Channel channel, @Nullable IOException reason) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            if (reason == null) {
                LOGGER.log(System.Logger.Level.WARNING, channel + " failed to close", e);
            } else {
                reason.addSuppressed(e);
            }
        }
    }
}
