// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.CoterieException;
import coterie.spi.AccessObserver;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// The conduit of one world. A PE listens at a port, and puts port and key for its peers. It connects to a peer at
/// its first operation towards that peer; requests and answers of all its channels travel on this connection, in
/// order.
///
/// ```
///  PE 0                                                    PE 1
///  LoopbackChannel.put ─► TargetPeer ── request, bytes ──► ServedPeer ─► OwnMemory
///  isDone(ticket)      ◄─ TargetPeer ◄────── answer ────── ServedPeer
/// ```
///
/// All work is done by threads that call the conduit: under its lock, and without waiting.
final class LoopbackConduit implements Conduit {
    private static final String ADDRESS = "loopback.address";
    private static final int KEY_BYTES = 16;

    /// Connections that may wait until this PE accepts them: those of all PEs of the largest job on one machine.
    private static final int BACKLOG = 4096;

    /// Time for a launcher to report how a PE has ended, before this conduit reports a broken connection.
    private static final long GRACE_NANOS = 1_000_000_000L;

    /// Time for the last bytes to leave; a peer that does not read for so long has failed.
    private static final long CLOSE_NANOS = 10_000_000_000L;

    private final ConduitContext context;
    private final PeJob job;
    private final OwnMemory memory;
    private final byte[] key = new byte[KEY_BYTES];
    private final ServerSocketChannel server;
    private final List<ServedPeer> served = new ArrayList<>();
    private final Map<Integer, TargetPeer> targets = new TreeMap<>();

    /// The operations under way: by ticket, the number of answers that each waits for.
    private final Map<Long, Integer> open = new HashMap<>();

    private long lastTicket;

    /// Makes progress for programs that test words of their own in a loop.
    private final AccessObserver observer = new AccessObserver() {
        @Override
        public void read(long offset, long length) {}

        @Override
        public void wrote(long offset, long length) {}

        @Override
        public void observed(Region region, long offset, long length) {}

        @Override
        public void polled() {
            progress();
        }
    };

    /// @param listen the address of this machine by which the other PEs reach this one
    LoopbackConduit(ConduitContext context, InetAddress listen) {
        this.context = context;
        this.job = context.job();
        this.memory = new OwnMemory(context.memory(context.syncBytes()));
        new SecureRandom().nextBytes(key);
        try {
            server = ServerSocketChannel.open();
            server.bind(new InetSocketAddress(listen, 0), BACKLOG);
            server.configureBlocking(false);
            int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
            job.put(
                    ADDRESS,
                    ByteBuffer.allocate(Integer.BYTES + KEY_BYTES + listen.getAddress().length)
                            .putInt(port)
                            .put(key)
                            .put(listen.getAddress())
                            .array());
        } catch (IOException e) {
            throw new CoterieException(
                    "join on PE " + job.pe() + ": conduit loopback can't listen at " + listen.getHostAddress(), e);
        }
    }

    @Override
    public String name() {
        return LoopbackProvider.NAME;
    }

    @Override
    public Set<Capability> capabilities() {
        return LoopbackProvider.CAPABILITIES;
    }

    @Override
    public synchronized byte[] createHeap(long byteSize) {
        memory.heap = context.memory(byteSize);
        return new byte[0]; // a peer needs only the address of the PE, which it has
    }

    @Override
    public void attachHeap(int peer, byte[] description) {}

    @Override
    public Optional<String> reserve(Region region, long offset, long length) {
        return region == Region.HEAP ? context.refusal(length) : Optional.empty();
    }

    @Override
    public long syncBytes() {
        return memory.sync.byteSize();
    }

    @Override
    public synchronized long localBase(Region region) {
        MemorySegment heap = memory.heap;
        return region == Region.SYNC ? memory.sync.address() : heap == null ? 0 : heap.address();
    }

    /// Returns 0 for this PE too: a program that does nothing but operations on its own memory makes progress by
    /// them, as every operation passes through the conduit.
    @Override
    public long directBase(Region region, int peer) {
        return 0;
    }

    @Override
    public long remoteBase(Region region, int peer) {
        return OwnMemory.base(region);
    }

    @Override
    public Channel openChannel() {
        return new LoopbackChannel(this);
    }

    @Override
    public synchronized void progress() {
        try {
            for (SocketChannel caller = server.accept(); caller != null; caller = server.accept()) {
                prepare(caller);
                served.add(new ServedPeer(caller, memory, key));
            }
        } catch (IOException e) {
            throw new CoterieException("PE " + job.pe() + ": conduit loopback can't accept a connection", e);
        }
        served.removeIf(peer -> !peer.serve());
        targets.forEach((pe, peer) -> {
            peer.advance();
            if (job.state(pe) == PeState.FAILED) {
                peer.drop(); // behind a cut link it answers nothing, and its connection has no end
            }
            String failure = peer.brokenFor(GRACE_NANOS);
            if (failure != null && job.state(pe) == PeState.RUNNING) {
                job.failed(pe, "its loopback connection broke: " + failure);
            }
        });
    }

    @Override
    public Optional<AccessObserver> observer() {
        return Optional.of(observer);
    }

    private static void prepare(SocketChannel socket) throws IOException {
        socket.configureBlocking(false);
        socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /// Returns the connection to a peer, which the first caller opens. The system completes it at once, whatever
    /// the peer does.
    TargetPeer target(int pe) {
        return targets.computeIfAbsent(pe, this::connect);
    }

    private TargetPeer connect(int pe) {
        ByteBuffer address = ByteBuffer.wrap(job.get(pe, ADDRESS)
                .orElseThrow(() ->
                        new CoterieException("PE " + job.pe() + ": PE " + pe + " has put no address for loopback")));
        int port = address.getInt();
        byte[] its = new byte[KEY_BYTES];
        address.get(its);
        byte[] host = new byte[address.remaining()];
        address.get(host);
        try {
            SocketChannel socket = SocketChannel.open();
            TargetPeer peer = new TargetPeer(socket, its, this::done);
            try {
                socket.connect(new InetSocketAddress(InetAddress.getByAddress(host), port));
                prepare(socket);
            } catch (IOException e) {
                peer.fail(e);
            }
            return peer;
        } catch (IOException e) {
            throw new CoterieException("PE " + job.pe() + ": conduit loopback can't open a socket to PE " + pe, e);
        }
    }

    /// Returns the ticket of a new operation that waits for so many answers.
    long ticket(int answers) {
        open.put(++lastTicket, answers);
        return lastTicket;
    }

    /// Returns the ticket that is done when all operations towards a peer, or towards all, are complete; or 0.
    synchronized long quiet(int peer) {
        long ticket = ticket(1);
        for (Map.Entry<Integer, TargetPeer> each : targets.entrySet()) {
            if ((peer == Channel.ALL_PEERS || peer == each.getKey())
                    && each.getValue().quiet(ticket)) {
                open.merge(ticket, 1, Integer::sum);
            }
        }
        done(ticket);
        return open.containsKey(ticket) ? ticket : 0;
    }

    private void done(long ticket) {
        open.computeIfPresent(ticket, (same, answers) -> answers == 1 ? null : answers - 1);
    }

    synchronized boolean isDone(long ticket) {
        if (open.containsKey(ticket)) {
            progress();
        }
        return !open.containsKey(ticket);
    }

    @Override
    public synchronized void close() {
        served.forEach(ServedPeer::sayClosed);
        long end = System.nanoTime() + CLOSE_NANOS;
        while (!hasSent() && System.nanoTime() < end) {
            progress();
            Thread.onSpinWait();
        }
        served.forEach(ServedPeer::close);
        targets.values().forEach(TargetPeer::close);
        Sockets.close(server);
    }

    private boolean hasSent() {
        return served.stream().allMatch(ServedPeer::hasSent)
                && targets.values().stream().allMatch(TargetPeer::hasSent);
    }
}
