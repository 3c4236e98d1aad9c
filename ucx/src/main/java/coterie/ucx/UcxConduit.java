// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.CoterieException;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/// The conduit of one world. PEs of one node load and store each other's memory; UCX moves bytes between
/// nodes.
///
/// A PE publishes its region SYNC and the address of its worker before the join's fence, and its heap in the
/// first allocation. It maps the memory of the peers on its node, and makes the endpoint to another one at
/// the first operation there.
///
/// ```
///  value "ucx.address"     address of SYNC: 8 bytes │ shared memory of SYNC │ UCX's address of the worker
///  description of a heap   address: 8 bytes         │ shared memory         │ UCX's key
/// ```
final class UcxConduit implements Conduit {
    private static final String ADDRESS = "ucx.address";

    private final ConduitContext context;
    private final PeJob job;
    private final OwnRegions regions;
    final UcxWorker worker;
    private final EventThread thread;

    /// Addresses in this process of the regions of PEs on this node; 0 for others, and before they are
    /// mapped.
    private final long[] syncBases;

    private final long[] heapBases;

    private int sharedBytes;
    private boolean isConnected;
    private long heapBytes;

    /// The latest quiet of [#isQuiet].
    private long asked;

    /// @throws CoterieException if UCX finds no transport
    UcxConduit(ConduitContext context) {
        this.context = context;
        this.job = context.job();
        this.regions = new OwnRegions(context.memory(context.syncBytes()));
        try {
            this.worker = new UcxWorker(job, regions, this::find);
        } catch (CoterieException e) {
            throw new CoterieException(
                    "join on PE " + job.pe() + ": conduit ucx: " + e.getMessage()
                            + "; `coterie info` prints the transports that UCX has found, UCX_TLS and UCX_NET_DEVICES"
                            + " restrict them",
                    e);
        }
        worker.transfers.syncBytes = context.syncBytes();
        this.syncBases = new long[job.size()];
        this.heapBases = new long[job.size()];
        job.put(ADDRESS, description(regions.sync, worker.address()));
        this.thread = new EventThread(worker, "coterie-ucx-" + job.pe());
    }

    private UcxPeer find(int pe) {
        byte[] published = job.get(pe, ADDRESS)
                .orElseThrow(() ->
                        new CoterieException("PE " + job.pe() + ": PE " + pe + " has published no address for ucx"));
        return new UcxPeer(pe, ByteBuffer.wrap(published).getLong(), third(published), shared(published));
    }

    private byte[] description(MemorySegment memory, byte[] third) {
        byte[] shared = context.share(memory);
        sharedBytes = shared.length;
        return ByteBuffer.allocate(Long.BYTES + shared.length + third.length)
                .putLong(memory.address())
                .put(shared)
                .put(third)
                .array();
    }

    private byte[] shared(byte[] description) {
        return Arrays.copyOfRange(description, Long.BYTES, Long.BYTES + sharedBytes);
    }

    private byte[] third(byte[] description) {
        return Arrays.copyOfRange(description, Long.BYTES + sharedBytes, description.length);
    }

    /// Returns this PE's region SYNC.
    MemorySegment sync() {
        return regions.sync;
    }

    @Override
    public String name() {
        return UcxProvider.NAME;
    }

    @Override
    public Set<Capability> capabilities() {
        return UcxProvider.CAPABILITIES;
    }

    @Override
    public byte[] createHeap(long byteSize) {
        MemorySegment heap = context.memory(byteSize);
        worker.lock.lock();
        try {
            byte[] key = worker.register(heap);
            regions.heap(heap);
            heapBytes = byteSize;
            return description(heap, key);
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public void attachHeap(int peer, byte[] description) {
        worker.lock.lock();
        try {
            UcxPeer owner = worker.peers.get(peer);
            owner.heapBase = ByteBuffer.wrap(description).getLong();
            owner.heapKey = third(description);
            heapBases[peer] = peer == job.pe()
                    ? owner.heapBase
                    : context.isNear(peer) ? context.attach(peer, shared(description), heapBytes) : 0;
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return region == Region.HEAP ? context.refusal(length) : Optional.empty();
    }

    @Override
    public long syncBytes() {
        return regions.sync.byteSize();
    }

    @Override
    public long localBase(Region region) {
        return regions.base(region);
    }

    @Override
    public long directBase(Region region, int peer) {
        if (!context.isNear(peer)) {
            return 0;
        }
        worker.lock.lock();
        try {
            return region == Region.SYNC ? syncBase(peer) : heapBases[peer];
        } finally {
            worker.lock.unlock();
        }
    }

    private long syncBase(int peer) {
        if (syncBases[peer] == 0) {
            syncBases[peer] = peer == job.pe()
                    ? regions.sync.address()
                    : context.attach(peer, worker.peers.get(peer).sharedSync, context.syncBytes());
        }
        return syncBases[peer];
    }

    @Override
    public long remoteBase(Region region, int peer) {
        worker.lock.lock();
        try {
            UcxPeer owner = worker.peers.get(peer);
            return region == Region.SYNC ? owner.syncBase : owner.heapBase;
        } finally {
            worker.lock.unlock();
        }
    }

    /// The runtime opens channels after the join's fence.
    @Override
    public Channel openChannel() {
        worker.lock.lock();
        try {
            if (!isConnected) {
                isConnected = true;
                worker.connect();
                thread.start();
            }
        } finally {
            worker.lock.unlock();
        }
        return new UcxChannel(worker);
    }

    @Override
    public void afterAdvance(Runnable task) {
        thread.afterAdvance(task);
    }

    @Override
    public void progress() {
        worker.progress();
    }

    @Override
    public long arrivals() {
        return worker.arrivals();
    }

    @Override
    public boolean isQuiet() {
        worker.lock.lock();
        try {
            if (worker.pool.isDone(asked)) {
                asked = worker.transfers.quiets.quiet(Channel.ALL_PEERS);
            }
            return asked == 0 && !worker.peers.hasUnreported(); // a lost peer will end waits
        } finally {
            worker.lock.unlock();
        }
    }

    @Override
    public void close() {
        worker.close(thread);
    }
}
