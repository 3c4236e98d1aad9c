// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.sim.schedule.SimulatedTask;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The simulated conduit of a PE's world. It gives no PE an address of another PE's memory; remote places are
/// numbers that the processor can't dereference.
public final class SimConduit implements Conduit {
    static final long HEAP_BASE = 1L << 61;
    static final long SYNC_BASE = 1L << 62;

    private final SimNetwork network;
    private final int pe;
    private final Thread otherThread;
    private final AccessObserver observer;
    private final long syncBytes;
    private ReservedRanges reservedRanges = new ReservedRanges(0);

    /// @param observer the race detector's observer of this PE, or null
    /// @param otherThread a thread that is not the PE's
    public SimConduit(
            SimNetwork network, int pe, long syncBytes, @Nullable AccessObserver observer, Thread otherThread) {
        this.network = network;
        this.pe = pe;
        this.syncBytes = syncBytes;
        this.otherThread = otherThread;
        this.observer = new OwnMemoryObserver(observer);
        network.memory.open(Region.SYNC, syncBytes);
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public byte[] createHeap(long byteSize) {
        network.memory.open(Region.HEAP, byteSize);
        reservedRanges = new ReservedRanges(byteSize);
        return new byte[0];
    }

    @Override
    public void attachHeap(int peer, byte[] description) {} // all heaps are in one memory

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        if (region == Region.SYNC) {
            return Optional.empty();
        }
        Optional<String> refusal = network.memory.refusal(reservedRanges.more(offset, length));
        if (refusal.isEmpty()) {
            reservedRanges.take(offset, length);
        }
        return refusal;
    }

    @Override
    public long syncBytes() {
        return syncBytes;
    }

    @Override
    public long localBase(Region region) {
        return network.memory.address(region, pe);
    }

    @Override
    public long directBase(Region region, int peer) {
        return 0;
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return region == Region.SYNC ? SYNC_BASE : HEAP_BASE;
    }

    @Override
    public Channel openChannel() {
        return new SimChannel(network, pe, otherThread);
    }

    /// One thread runs at a time, so channels serve all threads.
    @Override
    public Set<Capability> capabilities() {
        return network.model.ordered()
                ? Set.of(Capability.THREADS, Capability.PASSIVE_TARGET, Capability.ORDERED)
                : Set.of(Capability.THREADS, Capability.PASSIVE_TARGET);
    }

    @Override
    public Optional<AccessObserver> observer() {
        return Optional.of(observer);
    }

    /// The simulator itself knows what travels.
    @Override
    public boolean isQuiet() {
        return true;
    }

    @Override
    public void close() {
        if (network.operationObserver != null) {
            network.operationObserver.closed(pe);
        }
        reservedRanges.clear(network.memory, pe);
    }

    /// Charges the PE the virtual time of accesses to its own memory, so that other PEs run while it polls.
    private final class OwnMemoryObserver implements AccessObserver {
        private final @Nullable AccessObserver next;

        /// Offset of the program's latest read: a repeated read counts as a poll.
        private long latest = -1;

        OwnMemoryObserver(@Nullable AccessObserver next) {
            this.next = next;
        }

        @Override
        public void read(long offset, long length) {
            SimulatedTask task = network.scheduler.enter(pe);
            try {
                look(task, offset);
                if (next != null) {
                    next.read(offset, length);
                }
            } finally {
                network.scheduler.exit(task);
            }
        }

        @Override
        public void wrote(long offset, long length) {
            SimulatedTask task = network.scheduler.enter(pe);
            try {
                look(task, -1);
                if (next != null) {
                    next.wrote(offset, length);
                }
            } finally {
                network.scheduler.exit(task);
            }
        }

        private void look(SimulatedTask task, long offset) {
            network.scheduler.poll(task, network.model.poll(), offset >= 0 && offset == latest);
            latest = offset;
        }

        @Override
        public void observed(Region region, long offset, long length) {
            if (next != null) {
                SimulatedTask task = network.scheduler.enter(pe);
                try {
                    next.observed(region, offset, length);
                } finally {
                    network.scheduler.exit(task);
                }
            }
        }

        @Override
        public void polled() {
            SimulatedTask task = network.scheduler.enter(pe);
            try {
                network.scheduler.poll(task, network.model.poll(), true);
            } finally {
                network.scheduler.exit(task);
            }
        }
    }
}
