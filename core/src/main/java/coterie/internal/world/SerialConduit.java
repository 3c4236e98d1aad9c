// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.order.ForwardingConduit;
import coterie.spi.Channel;
import coterie.spi.Conduit;

/// Makes the channels of a conduit thread-safe.
final class SerialConduit extends ForwardingConduit {
    SerialConduit(Conduit conduit) {
        super(conduit);
    }

    @Override
    public Channel openChannel() {
        return new SerialChannel(conduit.openChannel());
    }

    @Override
    public boolean servesThreads() {
        return true;
    }
}
