// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.CoterieException;
import coterie.spi.EncryptedChannel;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The connections of a world to its peers: progress, lost peers, the end.
///
/// One lock guards all. The thread that has it reads and writes the sockets: a waiting thread of the program, or
/// the [TcpAgent] while the program computes. All methods require the lock, but for those that take it.
final class TcpEngine implements Admission.Members {
    /// Connections of which each progress reads all: a read costs half a microsecond, and a selector twice as
    /// much.
    private static final int MOST_POLLED = 8;

    /// By which bytes of arrays leave and arrive.
    private static final int BOUNCE_BYTES = 128 << 10;

    /// Time for a launcher to report how a PE has ended, before this conduit reports a failed connection.
    private static final long GRACE_NANOS = 1_000_000_000L;

    /// Time for the last bytes to leave; a peer that takes none for so long has failed.
    private static final long CLOSE_NANOS = 10_000_000_000L;

    /// What a closing thread leaves to others between two looks.
    private static final long CLOSE_NAP_NANOS = 50_000;

    /// Tries of a thread that needs the lock before it queues: the holder never waits, so that it is free soon. A
    /// thread in the queue would sleep, and be an object.
    private static final int TRIES = 1000;

    final ReentrantLock lock = new ReentrantLock();
    final PeJob job;
    final TcpTickets tickets = new TcpTickets();
    final TcpRequests requests;
    private final ReachableMemory memory;
    private final Admission admission;
    private final ByteBuffer bounce = ByteBuffer.allocateDirect(BOUNCE_BYTES);

    /// What the agent waits for while the program computes, and what a progress with many connections asks. Two,
    /// since a thread that waits holds its selector.
    private final Selector events;

    private final Selector ready;

    private final Consumer<SelectionKey> readReady = this::readLink;

    private final @Nullable TcpPeer[] peers;
    private final List<TcpPeer> contacts = new ArrayList<>();
    private final List<TcpLink> links = new ArrayList<>();

    /// Lost peers that the job does not know yet.
    final List<TcpPeer> unreported = new ArrayList<>();

    private long epoch;

    /// Whether anything has been read of what [#ready] announced.
    private boolean hasReadReady;

    /// Whether the agent waits, or is about to.
    private boolean isArmed;

    private boolean isClosed;

    /// Advances that have found bytes.
    private final AtomicLong arrivals = new AtomicLong();

    /// Calls of [#progress] by threads of the program, more or less.
    private final AtomicLong visits = new AtomicLong();

    TcpEngine(PeJob job, ReachableMemory memory, Admission admission) throws IOException {
        this.job = job;
        this.memory = memory;
        this.admission = admission;
        this.events = Selector.open();
        this.ready = Selector.open();
        this.peers = new TcpPeer[job.size()];
        this.requests = new TcpRequests(this, new OwnTarget(memory));
    }

    /// Takes the lock.
    void enter() {
        for (int i = 0; i < TRIES; i++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    /// Returns a peer, to which a connection begins if there is none.
    TcpPeer peer(int pe) {
        TcpPeer known = peers[pe];
        if (known == null) {
            known = add(pe);
            if (job.state(pe).hasTerminated()) {
                lose(known, "it has ended");
            } else {
                admission.connect(pe);
            }
        }
        return known;
    }

    /// Returns a peer, or null if there is no connection to it, and none has begun.
    @Nullable
    TcpPeer known(int pe) {
        return peers[pe];
    }

    int contactCount() {
        return contacts.size();
    }

    /// Returns a peer that is known, by a number below [#contactCount].
    TcpPeer contact(int i) {
        return contacts.get(i);
    }

    private TcpPeer add(int pe) {
        TcpPeer peer = new TcpPeer(pe, new SendStream(tickets, bounce));
        peers[pe] = peer;
        contacts.add(peer);
        return peer;
    }

    /// A connection to a peer has begun: both ends have proved the secret of the job. Takes the lock.
    @Override
    public void joined(Route route, int connections, SocketChannel socket, @Nullable EncryptedChannel encrypted)
            throws IOException {
        lock.lock();
        try {
            TcpPeer known = peers[route.pe()];
            TcpPeer peer = known == null ? add(route.pe()) : known;
            if (isClosed || !peer.isOpen()) {
                socket.close();
                return;
            }
            SelectionKey key = socket.register(events, SelectionKey.OP_READ);
            TcpLink link;
            if (route.isFirst()) {
                ReceiveStream reader = addRails(peer, connections - 1);
                link = new TcpLink(peer, peer.send, reader, socket, encrypted, key);
                peer.link = link;
            } else {
                Rail rail = peer.rails[route.rail() - 1];
                link = new TcpLink(peer, rail.send, rail, socket, encrypted, key);
                rail.link = link;
            }
            links.add(link);
            register();
            flush(peer);
            wakeAgent();
        } finally {
            lock.unlock();
        }
    }

    /// Returns what reads the first connection of a peer, whose rails are made.
    private ReceiveStream addRails(TcpPeer peer, int count) {
        MessageReceiver receiver = new MessageReceiver(peer, memory, tickets);
        ReceiveStream first = new ReceiveStream(peer, receiver, new Payload(memory, bounce));
        peer.rails = new Rail[count];
        Arrays.setAll(peer.rails, _ -> new Rail(new SendStream(tickets, bounce), new Payload(memory, bounce), first));
        return first;
    }

    /// Registers the connections with the selector [#ready], as soon as there are so many that it serves.
    private void register() throws IOException {
        if (links.size() > MOST_POLLED) {
            for (TcpLink link : links) {
                if (link.socket.keyFor(ready) == null) {
                    link.socket.register(ready, SelectionKey.OP_READ, link);
                }
            }
        }
    }

    /// There will be no connection to a peer. Takes the lock.
    @Override
    public void refused(int pe, String why) {
        lock.lock();
        try {
            TcpPeer peer = peers[pe];
            if (peer != null && peer.link == null) {
                lose(peer, why);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Sends what the sockets take of a peer's messages.
    void flush(TcpPeer peer) {
        TcpLink link = peer.link;
        if (link != null) {
            flush(link);
        }
        for (Rail rail : peer.rails) {
            TcpLink its = rail.link;
            if (its != null) {
                flush(its);
            }
        }
    }

    private void flush(TcpLink link) {
        if (link.hasOutput()) {
            try {
                if (!link.write()) {
                    wakeAgent();
                }
            } catch (IOException e) {
                lose(link.peer, String.valueOf(e.getMessage()));
            }
        }
    }

    /// Ends the agent's wait, as there is something to send that no thread may be about to send.
    void wakeAgent() {
        if (isArmed) {
            isArmed = false;
            events.wakeup();
        }
    }

    /// Advances what is under way, unless another thread is doing so. Takes the lock.
    void progress() {
        visits.setOpaque(visits.getPlain() + 1); // threads that count at the same time may count one visit
        tryAdvance();
    }

    /// Advances what is under way, unless another thread is doing so. Returns whether bytes have arrived. Takes
    /// the lock. For the agent, which is no visit.
    boolean tryAdvance() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            return advance();
        } finally {
            lock.unlock();
        }
    }

    /// Advances what is under way. Returns whether bytes have arrived.
    boolean advance() {
        if (isClosed) {
            return false;
        }
        boolean hasMoved = links.size() <= MOST_POLLED ? readAll() : readReady();
        if (hasMoved) {
            arrivals.setOpaque(arrivals.getPlain() + 1);
        }
        for (int i = links.size() - 1; i >= 0; i = Math.min(i, links.size()) - 1) { // those of a lost peer leave
            flush(links.get(i));
        }
        check();
        return hasMoved;
    }

    private boolean readAll() {
        boolean hasMoved = false;
        for (int i = links.size() - 1; i >= 0; i = Math.min(i, links.size()) - 1) {
            hasMoved |= read(links.get(i));
        }
        return hasMoved;
    }

    private boolean readReady() {
        try {
            hasReadReady = false;
            ready.selectNow(readReady);
            boolean hasMoved = hasReadReady;
            for (int i = links.size() - 1; i >= 0; i = Math.min(i, links.size()) - 1) {
                TcpLink link = links.get(i);
                hasMoved |= link.hasInput() && read(link);
            }
            return hasMoved;
        } catch (IOException e) {
            throw new CoterieException("PE " + job.pe() + ": conduit tcp can't poll its connections", e);
        }
    }

    private void readLink(SelectionKey key) {
        hasReadReady |= read((TcpLink) key.attachment());
    }

    private boolean read(TcpLink link) {
        try {
            return link.read();
        } catch (ProtocolException | RuntimeException e) { // a fault of the source alone
            refuse(link.peer, "a message can't be applied: " + e.getMessage());
            return true;
        } catch (IOException e) {
            lose(link.peer, String.valueOf(e.getMessage()));
            return true;
        }
    }

    /// Takes no more messages of a peer. Its connections stay until the peer is reported: if they ended before, the
    /// peer might report this PE, which has done nothing wrong.
    private void refuse(TcpPeer peer, String why) {
        for (TcpLink link : takeLinks(peer)) {
            link.leaveSelectors(ready);
            peer.refused.add(link);
        }
        lose(peer, why);
    }

    /// Returns the connections of a peer, which are served no more.
    private List<TcpLink> takeLinks(TcpPeer peer) {
        List<TcpLink> taken = new ArrayList<>();
        links.removeIf(link -> link.peer == peer && taken.add(link));
        peer.link = null;
        for (Rail rail : peer.rails) {
            rail.link = null;
        }
        return taken;
    }

    /// Takes note that a peer can't be reached any more. If it has closed its world before, the job needs no
    /// report.
    private void lose(TcpPeer peer, String why) {
        if (peer.isOpen()) {
            peer.failure = why;
            peer.lostAtNanos = System.nanoTime();
            unreported.add(peer);
        }
        peer.state = TcpPeer.State.LOST;
        takeLinks(peer).forEach(TcpEngine::close);
        peer.send.clear();
        for (Rail rail : peer.rails) {
            rail.send.clear();
        }
        while (peer.awaitedCount() > 0) {
            TcpOperation awaited = peer.removeAwaited();
            if (awaited.kind == TcpOperation.Kind.QUIET) {
                tickets.release(awaited); // fetches never complete
            }
        }
    }

    private static void closeRefused(TcpPeer peer) {
        peer.refused.forEach(TcpEngine::close);
        peer.refused.clear();
    }

    private static void close(TcpLink link) {
        try {
            link.socket.close();
        } catch (IOException e) {
            throw new CoterieException("the connection to PE " + link.peer.pe + " can't be closed", e);
        }
    }

    /// Looks for PEs that have ended, and reports lost ones.
    private void check() {
        long now = ProcessMemory.getLongAcquire(job.epochAddress());
        if (now != epoch) {
            epoch = now;
            for (int i = 0; i < contacts.size(); i++) {
                TcpPeer peer = contacts.get(i);
                if (peer.isOpen() && job.state(peer.pe).hasTerminated()) {
                    lose(peer, "it has ended");
                }
            }
        }
        if (!unreported.isEmpty()) {
            unreported.removeIf(this::report);
        }
    }

    /// Reports a lost peer to its job, unless the job knows its end, or it has closed its world. Returns false if
    /// it is too early for that. A PE that counts as failed itself reports none: its peers close their
    /// connections to it.
    private boolean report(TcpPeer peer) {
        PeState state = job.state(peer.pe);
        boolean isKnown = state.hasTerminated()
                || state == PeState.CLOSED
                || job.state(job.pe()).hasTerminated();
        if (!isKnown) {
            if (System.nanoTime() - peer.lostAtNanos < GRACE_NANOS) {
                return false;
            }
            job.failed(peer.pe, "its TCP connection failed: " + peer.failure);
        }
        closeRefused(peer);
        return true;
    }

    /// Advances what is under way, and prepares the agent's wait. Returns false if another thread has the lock,
    /// or has something for the agent to do. Takes the lock.
    boolean tryArm() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            if (advance() || isClosed) {
                return false;
            }
            for (int i = 0; i < links.size(); i++) {
                links.get(i).awaitEvents();
            }
            isArmed = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /// Waits until a connection has something to do, or another thread. Only the agent calls it, without the lock.
    void awaitEvents(long millis) throws IOException {
        events.select(key -> {}, millis);
    }

    /// Returns how many advances have found bytes. Any thread may ask.
    long arrivals() {
        return arrivals.getOpaque();
    }

    /// Returns the calls of [#progress] so far.
    long visits() {
        return visits.getOpaque();
    }

    /// Ends the world: tells all contacts, and waits until each has answered or is lost, and all bytes have left.
    /// Takes the lock.
    void close(TcpAgent agent) {
        lock.lock();
        try {
            for (int i = 0; i < contacts.size(); i++) {
                TcpPeer peer = contacts.get(i);
                if (peer.isOpen()) {
                    requests.notifyClosed(peer);
                }
            }
        } finally {
            lock.unlock();
        }
        long end = System.nanoTime() + CLOSE_NANOS;
        while (!hasEnded() && System.nanoTime() < end) {
            LockSupport.parkNanos(CLOSE_NAP_NANOS);
        }
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
        agent.stop(events);
        closeSockets();
    }

    private void closeSockets() {
        lock.lock();
        try (Selector _ = events;
                Selector _ = ready) {
            links.forEach(TcpEngine::close);
            contacts.forEach(TcpEngine::closeRefused);
        } catch (IOException e) {
            throw new CoterieException("PE " + job.pe() + ": conduit tcp can't close its selectors", e);
        } finally {
            lock.unlock();
        }
    }

    private boolean hasEnded() {
        lock.lock();
        try {
            advance();
            for (int i = 0; i < contacts.size(); i++) {
                TcpPeer peer = contacts.get(i);
                if (peer.state != TcpPeer.State.LOST && (peer.hasToRelease || peer.hasOutput())) {
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
