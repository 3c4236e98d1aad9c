// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.Set;

/// The mapped conduit of a job that has no control segment, since another launcher has started its PEs on one node.
/// Every PE has every other's memory mapped, and a put is a store, as in [MappedConduit]. The words of rounds, too,
/// are in a file in memory of their PE; the job's values carry its description.
public final class SegmentlessConduit implements Conduit {
    private static final String SYNC = "coterie.sync";
    private static final Set<Capability> ALL = Set.of(Capability.values());

    private final ConduitContext context;
    private final PeJob job;
    private final MemorySegment sync;
    private final long[] syncBases;
    private final long[] heapBases;
    private MemorySegment heap = AddressSpace.ALL.asSlice(0, 0);

    /// Makes the words of this PE, and publishes their description before the fence of a join.
    public SegmentlessConduit(ConduitContext context) {
        this.context = context;
        this.job = context.job();
        this.sync = context.memory(context.syncBytes());
        this.syncBases = new long[job.size()];
        this.heapBases = new long[job.size()];
        job.put(SYNC, context.share(sync));
    }

    /// Maps the words of all PEs, after the fence of a join.
    ///
    /// @throws CoterieException if this process can't open those of a PE
    public void attachAll() {
        for (int pe = 0; pe < syncBases.length; pe++) {
            if (syncBases[pe] == 0) {
                syncBases[pe] = pe == job.pe() ? sync.address() : context.attach(pe, published(pe), sync.byteSize());
            }
        }
    }

    private byte[] published(int pe) {
        return job.get(pe, SYNC)
                .orElseThrow(() ->
                        new CoterieException("PE " + job.pe() + ": PE " + pe + " has published no memory to map"));
    }

    @Override
    public String name() {
        return "mapped";
    }

    @Override
    public byte[] createHeap(long byteSize) {
        heap = context.memory(byteSize);
        return context.share(heap);
    }

    @Override
    public void attachHeap(int peer, byte[] description) {
        heapBases[peer] = peer == job.pe() ? heap.address() : context.attach(peer, description, heap.byteSize());
    }

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return region == Region.HEAP ? context.refusal(length) : Optional.empty();
    }

    @Override
    public long syncBytes() {
        return sync.byteSize();
    }

    @Override
    public long localBase(Region region) {
        return region == Region.SYNC ? sync.address() : heap.address();
    }

    @Override
    public long directBase(Region region, int peer) {
        return region == Region.SYNC ? syncBases[peer] : heapBases[peer];
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return directBase(region, peer);
    }

    @Override
    public Set<Capability> capabilities() {
        return ALL;
    }

    @Override
    public Channel openChannel() {
        return MappedChannel.INSTANCE;
    }

    /// Operations are complete when they return.
    @Override
    public boolean isQuiet() {
        return true;
    }

    /// The world releases the memory.
    @Override
    public void close() {}
}
