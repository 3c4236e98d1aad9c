// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.spi.AccessObserver;
import coterie.spi.Conduit;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

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
    public byte[] createHeap(long byteSize) {
        return conduit.createHeap(byteSize);
    }

    @Override
    public void attachHeap(int peer, byte[] description) {
        conduit.attachHeap(peer, description);
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
    public Set<Capability> capabilities() {
        return conduit.capabilities();
    }

    /// Returns the capabilities of the conduit below, and others.
    protected final Set<Capability> with(Capability... others) {
        Set<Capability> all = EnumSet.noneOf(Capability.class);
        all.addAll(conduit.capabilities());
        all.addAll(Arrays.asList(others));
        return Collections.unmodifiableSet(all);
    }

    @Override
    public boolean isQuiet() {
        return conduit.isQuiet();
    }

    @Override
    public long arrivals() {
        return conduit.arrivals();
    }

    @Override
    public void progress() {
        conduit.progress();
    }

    @Override
    public void afterAdvance(Runnable task) {
        conduit.afterAdvance(task);
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
