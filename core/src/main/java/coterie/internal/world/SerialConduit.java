// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.order.ForwardingConduit;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.util.Set;

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
    public Set<Capability> capabilities() {
        return with(Capability.THREADS);
    }
}
