// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.CoterieException;
import coterie.spi.PeJob;
import coterie.ucx.UcxOperation.Kind;
import coterie.ucx.libucp.LibUcp;
import coterie.ucx.libucp.UcpCallbacks;
import coterie.ucx.libucp.UcpStructures;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/// UCX's context and worker of a world: progress, requests under way, endpoints.
///
/// All methods but [#progress], [#tryAdvance], [#tryArm] and [#close] require the [#lock]. UCX calls back within
/// [#advance] alone: a callback notes what has happened, and what follows from it comes after the callbacks.
final class UcxWorker implements UcpCallbacks.Receiver {
    private static final int MESSAGE_ID = 1;

    /// Requests whose status one progress asks for: each costs some nanoseconds.
    private static final int MOST_CHECKS = 32;

    /// Time for the last bytes to leave; a peer that takes none for so long has failed.
    private static final long CLOSE_NANOS = 10_000_000_000L;

    private static final int CLOSE_WAIT_MILLIS = 1;

    final ReentrantLock lock = new ReentrantLock();
    final PeJob job;
    final LibUcp ucp;
    final OperationPool pool;
    final UcxTransfers transfers;
    final UcxPeers peers;

    private final Arena arena = Arena.ofShared();
    private final MessageAgent agent;
    private final MemorySegment errorFunction;
    private final long plain;
    private final long message;
    private final MemorySegment forcedClose;
    private final long context;
    private final long worker;
    private final long events;

    /// This PE's heap: where it begins and ends, UCX's handle, and the parameters of operations on it.
    private long heapBase;

    private long heapEnd;
    private long heapMemory;
    private long onHeap;

    /// Operations with a request of UCX, in no order, and the next one to look at.
    private UcxOperation[] pending = new UcxOperation[OperationPool.LIMIT];

    private int pendingCount;
    private int cursor;

    /// Operations whose answers have arrived since the latest callbacks.
    private final List<UcxOperation> answered = new ArrayList<>();

    /// Advances that have moved something.
    private final AtomicLong arrivals = new AtomicLong();

    /// Calls of [#progress] by threads of the program, more or less.
    private final AtomicLong visits = new AtomicLong();

    private boolean isConnected;
    private boolean isClosed;

    /// Makes a context and a worker, which finds its transports.
    ///
    /// @throws CoterieException if UCX finds no transport
    UcxWorker(PeJob job, OwnRegions regions, UcxPeers.Addresses addresses) {
        this.job = job;
        this.ucp = LibUcp.get();
        this.pool = new OperationPool(arena);
        this.peers = new UcxPeers(job, addresses);
        this.transfers = new UcxTransfers(this);
        this.agent = new MessageAgent(this, regions);
        UcpCallbacks callbacks = new UcpCallbacks(this);
        this.errorFunction = callbacks.errorFunction(arena);
        this.plain = UcpStructures.operation(arena).address();
        this.message = UcpStructures.message(arena).address();
        this.forcedClose = UcpStructures.forcedClose(arena);
        this.onHeap = plain;
        this.context = ucp.createContext(UcpStructures.context(arena), NetworkDevices.of(job), Transports.allowed());
        long made = 0;
        try {
            made = ucp.createWorker(context, UcpStructures.worker(arena));
            ucp.setHandler(made, UcpStructures.handler(arena, MESSAGE_ID, callbacks.messageFunction(arena)));
            this.events = ucp.events(made, arena);
        } catch (CoterieException e) {
            if (made != 0) {
                ucp.destroyWorker(made);
            }
            ucp.destroyContext(context);
            throw e;
        }
        this.worker = made;
    }

    byte[] address() {
        return ucp.workerAddress(worker);
    }

    /// Registers this PE's heap. Returns the key for the peers.
    byte[] register(MemorySegment heap) {
        heapMemory = ucp.map(context, UcpStructures.memory(arena, heap));
        heapBase = heap.address();
        heapEnd = heapBase + heap.byteSize();
        onHeap = UcpStructures.operationOn(arena, heapMemory).address();
        return ucp.packKey(context, heapMemory);
    }

    private void connect(UcxPeer peer) {
        peer.isContact = true;
        if (peer.endpoint == 0 && peer.isReachable()) {
            try (Arena call = Arena.ofConfined()) {
                MemorySegment address = call.allocate(peer.workerAddress.length, Long.BYTES);
                address.copyFrom(MemorySegment.ofArray(peer.workerAddress));
                peer.endpoint =
                        ucp.createEndpoint(worker, UcpStructures.endpoint(call, address, errorFunction, peer.pe));
            } catch (CoterieException e) {
                peers.lose(peer, String.valueOf(e.getMessage()));
            }
        }
    }

    private long key(UcxPeer peer) {
        byte[] packed = peer.heapKey;
        if (peer.key == 0 && packed != null && peer.isReachable()) {
            try (Arena call = Arena.ofConfined()) {
                MemorySegment copy = call.allocate(packed.length, Long.BYTES);
                copy.copyFrom(MemorySegment.ofArray(packed));
                peer.key = ucp.unpackKey(peer.endpoint, copy);
            } catch (CoterieException e) {
                peers.lose(peer, String.valueOf(e.getMessage()));
            }
        }
        return peer.key;
    }

    /// Starts a put of UCX to the peer's heap. Returns whether it is complete: the source may be reused.
    boolean put(UcxOperation operation, long source, long length, long remote) {
        UcxPeer peer = operation.peer();
        connect(peer);
        long key = key(peer);
        if (!peer.isReachable()) {
            return true;
        }
        peer.puts++;
        return track(operation, ucp.put(peer.endpoint, source, length, remote, key, params(source, length)));
    }

    /// Starts a get of UCX from the peer's heap. Returns whether it is complete.
    boolean get(UcxOperation operation, long target, long length, long remote) {
        UcxPeer peer = operation.peer();
        connect(peer);
        long key = key(peer);
        return peer.isReachable()
                && track(operation, ucp.get(peer.endpoint, target, length, remote, key, params(target, length)));
    }

    /// Sends the message in an operation's header, and counts it. Returns whether it has left.
    ///
    /// @param payload address of the bytes after the header, unchanged until the message has left
    boolean send(UcxOperation operation, long payload, long length) {
        UcxPeer peer = operation.peer();
        connect(peer);
        if (!peer.isReachable()) {
            return true;
        }
        peer.posted += UcxMessage.isCounted(operation.header) ? 1 : 0;
        return track(
                operation,
                ucp.send(
                        peer.endpoint,
                        MESSAGE_ID,
                        operation.header,
                        UcxMessage.HEADER_BYTES,
                        payload,
                        length,
                        message));
    }

    /// Starts completing the puts of UCX at a peer. Returns whether they are complete.
    boolean flush(UcxOperation operation) {
        UcxPeer peer = operation.peer();
        return !peer.isReachable() || peer.endpoint == 0 || track(operation, ucp.flush(peer.endpoint, plain));
    }

    private long params(long address, long length) {
        return address >= heapBase && address + length <= heapEnd ? onHeap : plain;
    }

    /// Takes note of the result of a function of UCX. Returns whether the operation is complete.
    private boolean track(UcxOperation operation, long result) {
        if (result == 0) {
            return true;
        }
        if (LibUcp.isError(result)) {
            peers.lose(operation.peer(), ucp.text((int) result));
            return true;
        }
        operation.request = result;
        if (pendingCount == pending.length) {
            pending = Arrays.copyOf(pending, 2 * pending.length);
        }
        pending[pendingCount++] = operation;
        return false;
    }

    /// Takes note that the answer to an operation has arrived.
    void answered(UcxOperation operation) {
        operation.isAnswered = true;
        answered.add(operation);
    }

    @Override
    public void message(long header, long headerLength, long payload, long length) {
        agent.apply(header, headerLength, payload, length);
    }

    @Override
    public void lost(int pe, int status) {
        peers.lose(peers.get(pe), ucp.text(status));
    }

    /// Advances what is under way, unless another thread is doing so. Any thread of the program may call it.
    void progress() {
        visits.setOpaque(visits.getPlain() + 1); // threads that count at the same time may count one visit
        if (lock.tryLock()) {
            try {
                advance();
            } finally {
                lock.unlock();
            }
        }
    }

    /// Advances what is under way, unless another thread is doing so. Returns whether UCX has moved anything. For
    /// the conduit's thread, which is no visit.
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

    /// Advances the worker, and makes its descriptor readable at the next event. Returns false if there is an
    /// event already, or another thread advances the worker.
    boolean tryArm() {
        if (!lock.tryLock()) {
            return false;
        }
        try {
            advance();
            return isConnected && !isClosed && ucp.arm(worker);
        } finally {
            lock.unlock();
        }
    }

    /// Returns how many advances have moved something. Any thread may ask.
    long arrivals() {
        return arrivals.getOpaque();
    }

    /// Returns the calls of [#progress] so far.
    long visits() {
        return visits.getOpaque();
    }

    /// Begins to serve peers. Before the join's fence a peer's published address may be that of an earlier
    /// world, so that messages of PEs that have passed the fence wait in UCX.
    void connect() {
        isConnected = true;
    }

    /// Advances what is under way. Returns whether UCX has moved anything.
    boolean advance() {
        if (isClosed || !isConnected) {
            return false;
        }
        boolean hasMoved = ucp.progress(worker) != 0;
        if (hasMoved) {
            arrivals.setOpaque(arrivals.getPlain() + 1);
        }
        for (int i = 0; i < answered.size(); i++) {
            transfers.settle(answered.get(i));
        }
        answered.clear();
        agent.sendAnswers();
        checkRequests();
        peers.check(this);
        return hasMoved;
    }

    /// Returns what [LibUcp#awaitEvent] waits for.
    long events() {
        return events;
    }

    /// Ends a wait for events of another thread.
    void signal() {
        ucp.signal(worker);
    }

    private void checkRequests() {
        for (int checks = Math.min(pendingCount, MOST_CHECKS); checks > 0 && pendingCount > 0; checks--) {
            cursor = cursor < pendingCount ? cursor : 0;
            UcxOperation operation = pending[cursor];
            int status = ucp.requestStatus(operation.request);
            if (status == LibUcp.IN_PROGRESS) {
                cursor++;
            } else {
                pending[cursor] = pending[--pendingCount];
                ucp.free(operation.request);
                operation.request = 0;
                complete(operation, status);
            }
        }
    }

    private void complete(UcxOperation operation, int status) {
        if (operation.kind == Kind.CLOSE) {
            endClose(operation);
        } else {
            if (status != 0) {
                peers.lose(operation.peer(), ucp.text(status));
            }
            transfers.complete(operation);
        }
    }

    /// Closes the endpoint to a peer that will not act again; UCX completes the requests of the endpoint.
    void retire(UcxPeer peer) {
        close(peer, forcedClose);
        transfers.abandon(peer);
    }

    private void close(UcxPeer peer, MemorySegment params) {
        if (peer.endpoint != 0) {
            UcxOperation close = pool.acquire(Kind.CLOSE, peer);
            close.remote = peer.key;
            long result = ucp.closeEndpoint(peer.endpoint, params);
            peer.endpoint = 0;
            peer.key = 0;
            if (LibUcp.isError(result) || track(close, result)) {
                endClose(close);
            }
        }
    }

    private void endClose(UcxOperation close) {
        if (close.remote != 0) {
            ucp.destroyKey(close.remote);
        }
        pool.release(close);
    }

    /// Ends the worker.
    ///
    /// ```
    ///  CLOSED to all contacts ──► until each has answered RELEASED, or is lost
    ///  close the endpoints    ──► until the last bytes have left
    ///  end the thread, the worker, the context
    /// ```
    ///
    /// A worker must not end while a peer has something for it under way: up to 1.13 UCX would abort the
    /// peer's process if its part of the exchange that connects two endpoints had not left yet.
    void close(EventThread thread) {
        lock.lock();
        try {
            connect();
            long end = System.nanoTime() + CLOSE_NANOS;
            for (UcxPeer peer : peers.all()) {
                if (peer != null && peer.isOpen() && peer.isContact) {
                    peer.hasToRelease = true;
                    transfers.notifyClosed(peer);
                }
            }
            while ((pendingCount > 0 || awaitsRelease()) && System.nanoTime() < end) {
                advanceOrAwaitEvent();
            }
            for (UcxPeer peer : peers.all()) {
                if (peer != null) {
                    close(peer, MemorySegment.ofAddress(plain));
                }
            }
            while (pendingCount > 0 && System.nanoTime() < end) {
                advanceOrAwaitEvent();
            }
            isClosed = true;
        } finally {
            lock.unlock();
        }
        thread.stop();
        if (heapMemory != 0) {
            ucp.unmap(context, heapMemory);
        }
        ucp.destroyWorker(worker);
        ucp.destroyContext(context);
        arena.close();
    }

    private boolean awaitsRelease() {
        for (UcxPeer peer : peers.all()) {
            if (peer != null && peer.isReachable() && peer.hasToRelease) {
                return true;
            }
        }
        return false;
    }

    /// Advances, or waits for an event. If that has moved nothing, naps: see [EventThread].
    private void advanceOrAwaitEvent() {
        advance();
        if (ucp.arm(worker) && LibUcp.awaitEvent(events, CLOSE_WAIT_MILLIS) && !advance()) {
            LockSupport.parkNanos(EventThread.NAP_NANOS);
        }
    }
}
