// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.sim.schedule.SimulatedTask;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The simulated conduit of a PE's world. No address of another PE's memory is handed out; places are numbers that
/// mean nothing to the processor.
public final class SimConduit implements Conduit {
    static final long HEAP_BASE = 1L << 61;
    static final long SYNC_BASE = 1L << 62;

    private final SimNetwork network;
    private final int pe;
    private final Thread somebodyElse;
    private final AccessObserver observer;
    private final long syncBytes;
    private ReservedRanges reservedRanges = new ReservedRanges(0);

    /// @param observer what the race detector wants to know, or null
    /// @param somebodyElse a thread that is not the PE's
    public SimConduit(
            SimNetwork network, int pe, long syncBytes, @Nullable AccessObserver observer, Thread somebodyElse) {
        this.network = network;
        this.pe = pe;
        this.syncBytes = syncBytes;
        this.somebodyElse = somebodyElse;
        this.observer = new OwnMemoryObserver(observer);
        network.memory.open(Region.SYNC, syncBytes);
    }

    @Override
    public String name() {
        return "sim";
    }

    @Override
    public long[] createHeap(long byteSize) {
        network.memory.open(Region.HEAP, byteSize);
        reservedRanges = new ReservedRanges(byteSize);
        return new long[DESCRIPTOR_WORDS];
    }

    @Override
    public void attachHeap(int peer, long[] descriptor) {} // it is all one memory

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
        return new SimChannel(network, pe, somebodyElse);
    }

    @Override
    public boolean servesThreads() {
        return true; // whoever has the stage has the channel
    }

    @Override
    public boolean orders() {
        return network.model.ordered();
    }

    @Override
    public Optional<AccessObserver> observer() {
        return Optional.of(observer);
    }

    @Override
    public void close() {
        if (network.operationObserver != null) {
            network.operationObserver.closed(pe);
        }
        reservedRanges.clear(network.memory, pe);
    }

    /// The PE looks at its own memory. That takes time, too, so that who polls sees something change.
    private final class OwnMemoryObserver implements AccessObserver {
        private final @Nullable AccessObserver next;

        /// Where the program has looked last: who looks there again polls.
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
