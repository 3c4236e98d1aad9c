// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.internal.order.DeferredOperation.Kind;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A channel that orders, over one that does not:
///
/// ```
///  put A ─────────────▶ starts
///  fence
///  put B ─┐             A may be under way: B is held back, and its caller is not
///  put C ─┤             C may not pass B
///         └ A complete at the peer ─▶ B and C start
///  put D to another ──▶ starts: a fence is for each peer by itself
/// ```
///
/// The cost is one quiet of the channel below towards a peer, for each fence that something follows there, unless the
/// channel below [#orders] that by itself. A
/// put with signal is one operation below, so that it waits for nothing of its own. Fetches are held back
/// like the rest, which is more than a fence promises.
///
/// At most [#MOST] operations are held back or, having been so, under way: beyond that the channel [#accepts] none
/// that would have to be held back too. What a dead peer leaves open ends as the channel below has it.
final class OrderedChannel implements Channel {
    /// Enough to keep a network busy for a round trip, and some 150 KiB of descriptors at most.
    static final int MOST = 1024;

    private final Channel below;
    private final Consumer<OrderedChannel> onClose;
    private final PeerQueues queues = new PeerQueues();

    /// All descriptors that there are, by index.
    private final List<DeferredOperation> descriptors = new ArrayList<>();

    /// Those that are to be had.
    private @Nullable DeferredOperation free;

    /// Those that were held back and are under way.
    private @Nullable DeferredOperation underWay;

    /// The lanes that hold something back.
    private @Nullable PeerQueue busy;

    /// Operations, but no quiets and marks, that have a descriptor.
    private int held;

    private long fences;

    OrderedChannel(Channel below, Consumer<OrderedChannel> onClose) {
        this.below = below;
        this.onClose = onClose;
    }

    /// The ticket of a channel below, which is not negative: those are ours.
    static long checked(long ticket) {
        if (ticket < 0) {
            throw new IllegalStateException(
                    "a conduit's channel has given ticket " + ticket + "; tickets are 0 or positive");
        }
        return ticket;
    }

    @Override
    public synchronized boolean accepts(int peer) {
        advance();
        PeerQueue queue = queues.of(peer);
        return queue.isEmpty() ? below.accepts(peer) && (held < MOST || queue.isClear(below, fences)) : held < MOST;
    }

    @Override
    public synchronized long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        return canStart(peer, length)
                ? checked(below.put(source, sourceOffset, length, peer, remote))
                : holdBack(peer, acquireOperation().copy(Kind.PUT, source, sourceOffset, length, remote));
    }

    @Override
    public synchronized long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return canStart(peer, DeferredOperation.FETCHES)
                ? checked(below.get(peer, remote, target, targetOffset, length))
                : holdBack(peer, acquireOperation().copy(Kind.GET, target, targetOffset, length, remote));
    }

    @Override
    public synchronized long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        return canStart(peer, length)
                ? checked(below.putSignal(source, sourceOffset, length, peer, remote, signal, update, value))
                : holdBack(
                        peer,
                        acquireOperation()
                                .copy(Kind.PUT_SIGNAL, source, sourceOffset, length, remote)
                                .signal(signal, update, value));
    }

    @Override
    public synchronized void putWord(long word, int bytes, int peer, long remote) {
        if (canStart(peer, bytes)) {
            below.putWord(word, bytes, peer, remote);
        } else {
            holdBack(peer, acquireOperation().word(Kind.PUT_WORD, word, bytes, remote));
        }
    }

    @Override
    public synchronized long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return canStart(peer, DeferredOperation.FETCHES)
                ? checked(below.getWord(bytes, peer, remote, result, resultOffset))
                : holdBack(
                        peer,
                        acquireOperation().word(Kind.GET_WORD, 0, bytes, remote).into(result, resultOffset));
    }

    @Override
    public synchronized long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        return canStart(peer, bytes)
                ? checked(below.atomic(operation, operand, bytes, peer, remote, result, resultOffset))
                : holdBack(
                        peer,
                        acquireOperation()
                                .word(Kind.ATOMIC, operand, bytes, remote)
                                .operation(operation)
                                .into(result, resultOffset));
    }

    @Override
    public synchronized void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        if (canStart(peer, bytes)) {
            below.update(operation, operand, bytes, peer, remote);
        } else {
            holdBack(
                    peer,
                    acquireOperation().word(Kind.UPDATE, operand, bytes, remote).operation(operation));
        }
    }

    @Override
    public synchronized long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return canStart(peer, bytes)
                ? checked(below.compareAndSwap(expected, value, bytes, peer, remote, result, resultOffset))
                : holdBack(
                        peer,
                        acquireOperation()
                                .word(Kind.COMPARE_AND_SWAP, value, bytes, remote)
                                .expecting(expected)
                                .into(result, resultOffset));
    }

    @Override
    public synchronized void fence() {
        fences++;
    }

    @Override
    public synchronized long quiet(int peer) {
        advance();
        if (!holdsBack(peer)) {
            return checked(below.quiet(peer));
        }
        DeferredOperation quiet = acquireOperation();
        quiet.kind = Kind.QUIET;
        quiet.peer = peer;
        quiet.marks = 0;
        for (PeerQueue queue = busy; queue != null; queue = queue.next) {
            if (peer == ALL_PEERS || peer == queue.peer) {
                DeferredOperation mark = acquireOperation();
                mark.kind = Kind.MARK;
                mark.quiet = quiet;
                queue.add(mark);
                quiet.marks++;
            }
        }
        return quiet.ticket();
    }

    private boolean holdsBack(int peer) {
        if (peer == ALL_PEERS) {
            return busy != null;
        }
        PeerQueue queue = queues.find(peer);
        return queue != null && !queue.isEmpty();
    }

    @Override
    public synchronized boolean isDone(long ticket) {
        if (DeferredOperation.isOurs(ticket)) {
            advance();
            return !descriptors.get(DeferredOperation.index(ticket)).serves(ticket);
        }
        boolean isDone = below.isDone(ticket);
        advance(); // the caller may compute from now on
        return isDone;
    }

    /// Starts what can be started, as far as the channel below takes it.
    @Override
    public synchronized void close() {
        advance();
        busy = null; // a thread of the conduit may still have this channel in its hand
        underWay = null;
        onClose.accept(this);
        below.close();
    }

    /// Returns whether an operation has not been started yet.
    synchronized boolean holdsBack() {
        return busy != null;
    }

    /// Starts what nothing is in the way of any more, and sees what is done. Never waits.
    synchronized void advance() {
        if (busy != null) {
            advanceLanes();
        }
        if (underWay != null) {
            finishDone();
        }
    }

    private void advanceLanes() {
        PeerQueue still = null;
        PeerQueue queue = busy;
        while (queue != null) {
            PeerQueue following = queue.next;
            for (DeferredOperation ready = queue.takeReady(below); ready != null; ready = queue.takeReady(below)) {
                if (ready.kind == Kind.MARK) {
                    pass(ready);
                } else {
                    queue.started();
                    start(ready);
                }
            }
            if (!queue.isEmpty()) {
                queue.next = still;
                still = queue;
            }
            queue = following;
        }
        busy = still;
    }

    private void pass(DeferredOperation mark) {
        DeferredOperation quiet = mark.quiet;
        releaseOperation(mark);
        if (quiet != null && --quiet.marks == 0) {
            start(quiet);
        }
    }

    private void start(DeferredOperation operation) {
        if (checked(operation.start(below)) == 0) {
            releaseOperation(operation);
        } else {
            operation.next = underWay;
            underWay = operation;
        }
    }

    private void finishDone() {
        DeferredOperation still = null;
        DeferredOperation operation = underWay;
        while (operation != null) {
            DeferredOperation following = operation.next;
            if (below.isDone(operation.below)) {
                releaseOperation(operation);
            } else {
                operation.next = still;
                still = operation;
            }
            operation = following;
        }
        underWay = still;
    }

    /// Returns whether the caller can start an operation towards a peer now.
    ///
    /// @param bytes as [DeferredOperation#putBytes]
    private boolean canStart(int peer, long bytes) {
        PeerQueue queue = queues.of(peer);
        // Another thread may have been let in since the caller asked whether there is room.
        if (queue.isEmpty() && queue.isClear(below, fences, bytes) && below.accepts(peer)) {
            queue.started();
            return true;
        }
        return false;
    }

    private long holdBack(int peer, DeferredOperation operation) {
        held++;
        operation.peer = peer;
        operation.fences = fences;
        PeerQueue queue = queues.of(peer);
        if (queue.isEmpty()) {
            queue.next = busy;
            busy = queue;
        }
        queue.add(operation);
        return operation.ticket();
    }

    private DeferredOperation acquireOperation() {
        DeferredOperation taken = free;
        if (taken == null) {
            taken = new DeferredOperation(descriptors.size());
            descriptors.add(taken);
        } else {
            free = taken.next;
        }
        return taken;
    }

    private void releaseOperation(DeferredOperation done) {
        held -= done.kind == Kind.QUIET || done.kind == Kind.MARK ? 0 : 1;
        done.finish();
        done.next = free;
        free = done;
    }
}
