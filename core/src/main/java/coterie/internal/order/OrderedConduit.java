// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Witness;
import java.util.Arrays;
import java.util.Optional;

/// A conduit that orders, over one that does not; see [OrderedChannel].
///
/// Its channels go on whenever anybody of this PE waits, or calls the channel: a PE that does neither brings on
/// nothing of what it has deferred.
public final class OrderedConduit implements Conduit {
    private final Conduit conduit;

    /// The open channels; replaced and never changed, so that going through it costs nothing.
    private volatile OrderedChannel[] open = new OrderedChannel[0];

    public OrderedConduit(Conduit conduit) {
        this.conduit = conduit;
    }

    @Override
    public String name() {
        return conduit.name();
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

    @Override
    public boolean orders() {
        return true;
    }

    /// Each channel has a lock, under which alone it calls the one below.
    @Override
    public boolean servesThreads() {
        return true;
    }

    @Override
    public void progress() {
        conduit.progress();
        for (OrderedChannel channel : open) {
            channel.advance();
        }
    }

    @Override
    public long[] createHeap(long byteSize) {
        return conduit.createHeap(byteSize);
    }

    @Override
    public void attachHeap(int peer, long[] descriptor) {
        conduit.attachHeap(peer, descriptor);
    }

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return conduit.reserve(region, offset, length);
    }

    @Override
    public long syncBytes() {
        return conduit.syncBytes();
    }

    @Override
    public long localBase(Region region) {
        return conduit.localBase(region);
    }

    @Override
    public long directBase(Region region, int peer) {
        return conduit.directBase(region, peer);
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return conduit.remoteBase(region, peer);
    }

    @Override
    public Optional<Witness> witness() {
        return conduit.witness();
    }

    @Override
    public void close() {
        conduit.close();
    }
}
