// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.spi.AccessObserver;
import coterie.spi.Conduit;
import java.util.Optional;

/// A conduit on top of another one: what a layer does not change is that one's.
public abstract class ForwardingConduit implements Conduit {
    protected final Conduit conduit;

    protected ForwardingConduit(Conduit conduit) {
        this.conduit = conduit;
    }

    @Override
    public String name() {
        return conduit.name();
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
    public boolean servesThreads() {
        return conduit.servesThreads();
    }

    @Override
    public boolean orders() {
        return conduit.orders();
    }

    @Override
    public void progress() {
        conduit.progress();
    }

    @Override
    public Optional<AccessObserver> observer() {
        return conduit.observer();
    }

    @Override
    public void close() {
        conduit.close();
    }
}
