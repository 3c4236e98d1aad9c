// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.util.Arrays;
import java.util.Set;

/// A conduit that orders, over one that does not; see [OrderedChannel].
///
/// Its channels go on whenever anybody of this PE waits, or calls the channel, or a thread of the conduit below has
/// advanced something. Over a conduit without a thread a PE that only computes brings on nothing of what it has
/// deferred.
public final class OrderedConduit extends ForwardingConduit {
    /// The open channels; replaced and never changed, so that going through it costs nothing.
    private volatile OrderedChannel[] open = new OrderedChannel[0];

    public OrderedConduit(Conduit conduit) {
        super(conduit);
        conduit.afterAdvance(this::advanceChannels);
    }

    @Override
    public synchronized Channel openChannel() {
        OrderedChannel channel = new OrderedChannel(conduit.openChannel(), this::forget);
        OrderedChannel[] more = Arrays.copyOf(open, open.length + 1);
        more[open.length] = channel;
        open = more;
        return channel;
    }

    private synchronized void forget(OrderedChannel closed) {
        open = Arrays.stream(open).filter(channel -> channel != closed).toArray(OrderedChannel[]::new);
    }

    /// Each channel has a lock, under which alone it calls the one below: so it serves threads.
    @Override
    public Set<Capability> capabilities() {
        return with(Capability.ORDERED, Capability.THREADS);
    }

    @Override
    public void progress() {
        super.progress();
        advanceChannels();
    }

    /// What a channel holds back has yet to travel.
    @Override
    public boolean isQuiet() {
        boolean isQuiet = super.isQuiet();
        for (OrderedChannel channel : open) {
            isQuiet &= !channel.holdsBack();
        }
        return isQuiet;
    }

    private void advanceChannels() {
        for (OrderedChannel channel : open) {
            channel.advance();
        }
    }
}
