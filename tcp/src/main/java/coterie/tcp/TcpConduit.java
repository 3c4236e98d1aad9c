// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.CoterieException;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Optional;
import java.util.Set;

/// The conduit of one world. PEs of one node load and store each other's memory; connections join the others.
///
/// A PE publishes where it listens before the join's fence. It maps the memory of the peers on its node, and
/// connects to another one at the first operation there.
final class TcpConduit implements Conduit {
    private static final String ADDRESS = "tcp.address";

    private final ConduitContext context;
    private final PeJob job;
    private final ReachableMemory memory;
    private final Admission admission;
    final TcpEngine engine;
    private final TcpAgent agent;

    /// Addresses in this process of the regions of PEs on this node; 0 for others, and before they are mapped. The
    /// engine's lock guards them.
    private final long[] syncBases;

    private final long[] heapBases;
    private boolean isServing;
    private long heapBytes;

    /// The latest quiet of [#isQuiet].
    private long asked;

    /// @throws CoterieException if this PE can't listen
    TcpConduit(ConduitContext context) {
        this.context = context;
        this.job = context.job();
        this.memory = new ReachableMemory(context.memory(context.syncBytes()));
        InetAddress address = job.hostAddress().orElseThrow();
        try {
            byte[] key = job.sharedKey(TcpProvider.NAME).orElseThrow();
            this.admission = new Admission(job, key, context.encryption(), address, connections());
            this.engine = new TcpEngine(job, memory, admission);
        } catch (IOException e) {
            throw new CoterieException(
                    "join on PE " + job.pe() + ": conduit tcp can't listen at " + address.getHostAddress() + ": "
                            + e.getMessage(),
                    e);
        }
        this.syncBases = new long[job.size()];
        this.heapBases = new long[job.size()];
        job.put(ADDRESS, admission.address(context.share(memory.sync)).encode());
        this.agent = new TcpAgent(engine, "coterie-tcp-" + job.pe());
    }

    private int connections() {
        String set = context.setting(TcpProvider.CONNECTIONS);
        if (set.isEmpty()) {
            return 1;
        }
        if (!set.matches("[0-9]{1,2}") || Integer.parseInt(set) < 1 || Integer.parseInt(set) > Rail.MOST) {
            throw new IllegalArgumentException(
                    "join on PE " + job.pe() + ": setting " + TcpProvider.CONNECTIONS + " (COTERIE_"
                            + TcpProvider.CONNECTIONS + "): \"" + set + "\" is no number in [1, " + Rail.MOST + "]");
        }
        return Integer.parseInt(set);
    }

    private PeAddress published(int pe) {
        return PeAddress.decode(job.get(pe, ADDRESS)
                .orElseThrow(() ->
                        new CoterieException("PE " + job.pe() + ": PE " + pe + " has published no address for tcp")));
    }

    /// Returns this PE's region SYNC.
    MemorySegment sync() {
        return memory.sync;
    }

    @Override
    public String name() {
        return TcpProvider.NAME;
    }

    @Override
    public Set<Capability> capabilities() {
        return TcpProvider.CAPABILITIES;
    }

    @Override
    public byte[] createHeap(long byteSize) {
        MemorySegment heap = context.memory(byteSize);
        engine.lock.lock();
        try {
            memory.heap(heap);
            heapBytes = byteSize;
            return context.share(heap);
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public void attachHeap(int peer, byte[] description) {
        engine.lock.lock();
        try {
            heapBases[peer] = peer == job.pe()
                    ? memory.address(Region.HEAP)
                    : context.isNear(peer) ? context.attach(peer, description, heapBytes) : 0;
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return region == Region.HEAP ? context.refusal(length) : Optional.empty();
    }

    @Override
    public long syncBytes() {
        return memory.sync.byteSize();
    }

    @Override
    public long localBase(Region region) {
        return memory.address(region);
    }

    @Override
    public long directBase(Region region, int peer) {
        if (!context.isNear(peer)) {
            return 0;
        }
        engine.lock.lock();
        try {
            return region == Region.SYNC ? syncBase(peer) : heapBases[peer];
        } finally {
            engine.lock.unlock();
        }
    }

    private long syncBase(int peer) {
        if (syncBases[peer] == 0) {
            syncBases[peer] = peer == job.pe()
                    ? memory.address(Region.SYNC)
                    : context.attach(peer, published(peer).sharedSync(), context.syncBytes());
        }
        return syncBases[peer];
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return ReachableMemory.remoteBase(region);
    }

    /// The runtime opens channels after the join's fence.
    @Override
    public Channel openChannel() {
        engine.lock.lock();
        try {
            if (!isServing) {
                isServing = true;
                admission.start(engine, this::published);
                agent.start();
            }
        } finally {
            engine.lock.unlock();
        }
        return new TcpChannel(engine);
    }

    @Override
    public void progress() {
        engine.progress();
    }

    @Override
    public long arrivals() {
        return engine.arrivals();
    }

    @Override
    public boolean isQuiet() {
        engine.enter();
        try {
            if (engine.tickets.isDone(asked)) {
                asked = engine.requests.quiet(Channel.ALL_PEERS);
            }
            return asked == 0 && engine.unreported.isEmpty(); // a lost peer will end waits
        } finally {
            engine.lock.unlock();
        }
    }

    @Override
    public void close() {
        engine.close(agent);
        admission.stop();
    }
}
