// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.IntegerView;
import coterie.PeFailedException;
import coterie.SignalUpdate;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What a context has under way towards a peer that is not direct.
///
/// ```
///            completed         posted
///  ────────────┼─────────────────┼───      operations of core, by ticket; at most `depth`
///   sources     │ put put get put │         a ticket that is done counts its counter, in any order;
///   reusable    │                 │         `completed` passes the prefix
///
///  strong signals, a FIFO:  head ── quiet of all that is posted ── add ── next head
/// ```
///
/// A weak signal travels with its put, and passes everything. A strong one waits at the head of the FIFO until all
/// that this context has posted to the peer before it is visible there: the *cursor*. Payloads do not wait.
final class GinPeerQueue {
    static final int DEFAULT_DEPTH = 256;
    private static final long DONE = 0;
    private static final int NO_COUNTER = -1;
    private static final long NO_TICKET = -1;
    private static final ValueLayout.OfLong LITTLE_ENDIAN = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// An add that waits for the cursor.
    private record StrongSignal(IntegerView view, long word, long value) {}

    private final GinContext context;
    private final DeviceCommunicator comm;
    private final int peer;

    private final int depth;
    private final ReentrantLock lock = new ReentrantLock();

    // The lock guards them.
    private long[] tickets = new long[0];
    private int[] counters = new int[0];
    private Window[] targets = new Window[0];
    private Window[] sources = new Window[0];
    private MemorySegment values = MemorySegment.NULL;
    private long posted;
    private long completed;

    /// Some caller waits for the operations up to here; the agent does not ask for the tickets of others.
    private long wanted;

    private final Queue<StrongSignal> strong = new ArrayDeque<>();
    private long strongTicket = NO_TICKET;
    private boolean isSending;
    private @Nullable PeFailedException failure;

    GinPeerQueue(GinContext context, int peer) {
        this.context = context;
        this.comm = context.comm;
        this.peer = peer;
        this.depth = comm.queueDepth();
    }

    GinContext context() {
        return context;
    }

    void put(
            Window target,
            long to,
            Window source,
            MemorySegment segment,
            long from,
            long bytes,
            RemoteAction remote,
            int counter) {
        lockWithRoom("put");
        try {
            send(target, to, source, segment, from, bytes, remote, counter);
        } finally {
            lock.unlock();
        }
    }

    void putValue(Window target, long to, long value, int bytes, RemoteAction remote) {
        lockWithRoom("putValue");
        try {
            long slot = posted % depth * Long.BYTES;
            values.set(LITTLE_ENDIAN, slot, value);
            send(target, to, target, values, slot, bytes, remote, NO_COUNTER);
        } finally {
            lock.unlock();
        }
    }

    void get(Window source, long from, Window target, long to, long bytes) {
        lockWithRoom("get");
        try {
            post(
                    source.bytes(context.index).getNbi(from, target.segment(), to, bytes, peer),
                    NO_COUNTER,
                    target,
                    source);
        } finally {
            lock.unlock();
        }
    }

    void signal(RemoteAction remote) {
        lock.lock();
        try {
            note(remote);
            if (comm.checks().isWeak(remote)) {
                view(remote).add(word(remote), remote.value(), peer);
            } else {
                order(new StrongSignal(view(remote), word(remote), remote.value()));
            }
        } finally {
            lock.unlock();
        }
    }

    /// Adds 1 to a word of a barrier. An arrival that fences nothing must not pass an earlier one that does: the peer
    /// only counts.
    void arrive(long word, boolean afterPuts) {
        lock.lock();
        try {
            if (afterPuts || !strong.isEmpty()) {
                order(new StrongSignal(context.words, word, 1));
            } else {
                context.words.add(word, 1, peer);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Starts a put. A weak signal travels with it, a strong one follows by the cursor.
    private void send(
            Window target,
            long to,
            Window source,
            MemorySegment segment,
            long from,
            long bytes,
            RemoteAction remote,
            int counter) {
        IntegerView view = target.bytes(context.index);
        if (remote.isNone()) {
            post(view.putNbi(to, segment, from, bytes, peer), counter, target, source);
            return;
        }
        note(remote);
        if (comm.checks().isWeak(remote)) {
            post(view.putSignalNbi(to, segment, from, bytes, update(remote), peer), counter, target, source);
        } else {
            post(view.putNbi(to, segment, from, bytes, peer), counter, target, source);
            order(new StrongSignal(view(remote), word(remote), remote.value()));
        }
    }

    /// Counts what this rank sends to an indexed signal of the peer, before it sends it: for the check of resets.
    private void note(RemoteAction remote) {
        if (remote.window() == null) {
            long word = comm.layout().sent(peer, context.index, (int) remote.place());
            context.words.set(word, context.words.get(word) + remote.value());
        }
    }

    /// Takes the lock when there is room for an operation; the caller releases it.
    @SuppressWarnings("LockNotBeforeTry") // the caller's try has the operation
    private void lockWithRoom(String operation) {
        while (true) {
            awaitRoom(operation);
            lock.lock();
            if (posted - completed < depth) {
                makeArrays();
                return;
            }
            lock.unlock();
        }
    }

    /// Waits until there is room for one more operation.
    private void awaitRoom(String operation) {
        checkAlive();
        if (!hasRoom()) {
            new Wait.Progress(
                            context.gin(),
                            this::hasRoom,
                            () -> context.where(operation) + ": the queue is full, with " + report())
                    .run();
            checkAlive();
        }
    }

    private IntegerView view(RemoteAction remote) {
        Window window = remote.window();
        return window == null ? context.words : window.longs(context.index);
    }

    private long word(RemoteAction remote) {
        Window window = remote.window();
        return window == null
                ? comm.layout().signal(context.index, (int) remote.place())
                : window.word(peer, remote.place());
    }

    private SignalUpdate update(RemoteAction remote) {
        Window window = remote.window();
        return (window == null ? context.memory() : window.memory())
                .signal(word(remote))
                .adding(remote.value());
    }

    /// Makes the arrays; most queues have no operation.
    private void makeArrays() {
        if (tickets.length == 0) {
            tickets = new long[depth];
            counters = new int[depth];
            targets = new Window[depth];
            sources = new Window[depth];
            values = Arena.ofAuto().allocate((long) depth * Long.BYTES, Long.BYTES);
        }
    }

    private void post(long ticket, int counter, Window target, Window source) {
        int slot = (int) (posted % depth);
        tickets[slot] = ticket;
        counters[slot] = counter;
        targets[slot] = target;
        sources[slot] = source;
        posted++;
        if (ticket == DONE) {
            finish(slot);
        }
    }

    private void finish(int slot) {
        tickets[slot] = DONE;
        if (counters[slot] != NO_COUNTER) {
            context.count(counters[slot]);
            counters[slot] = NO_COUNTER;
        }
        while (completed < posted && tickets[(int) (completed % depth)] == DONE) {
            completed++;
        }
    }

    /// Sends a signal once all that this context has posted to the peer is visible there.
    private void order(StrongSignal signal) {
        strong.add(signal);
        advanceStrong();
    }

    /// Advances tickets and the cursor, without waiting; returns whether anything has moved.
    boolean advance() {
        lock.lock();
        try {
            if (completed == posted && strong.isEmpty()) {
                return false;
            }
            long before = completed;
            try {
                for (long each = completed; each < posted; each++) {
                    int slot = (int) (each % depth);
                    if (tickets[slot] != DONE
                            && ((each == completed && each < wanted) || counters[slot] != NO_COUNTER)
                            && context.context.isComplete(tickets[slot])) {
                        finish(slot);
                    }
                }
            } catch (PeFailedException e) {
                fail(e);
            }
            boolean hasSent = advanceStrong();
            return hasSent || completed != before;
        } finally {
            lock.unlock();
        }
    }

    /// Sends the strong signals that the cursor lets through. An add that waits for room in the conduit runs the
    /// hooks of this PE, this one among them: it must not send the next signal before.
    private boolean advanceStrong() {
        boolean moved = false;
        while (!isSending && !strong.isEmpty() && isCursorThere()) {
            StrongSignal next = strong.remove();
            strongTicket = NO_TICKET;
            isSending = true;
            try {
                next.view.add(next.word, next.value, peer);
            } finally {
                isSending = false;
            }
            moved = true;
        }
        return moved;
    }

    /// Returns whether all that this context has posted to the peer before the signal at the head is visible
    /// there.
    private boolean isCursorThere() {
        try {
            if (strongTicket == NO_TICKET) {
                strongTicket = context.context.quietNbi(peer);
            }
            return context.context.isComplete(strongTicket) && !strong.isEmpty();
        } catch (PeFailedException e) {
            if (comm.coterieTeam().hasFailed(peer)) {
                fail(e);
                return false;
            }
            return true; // another PE has failed; what was put to this one is complete
        }
    }

    /// The peer has failed: nothing more completes.
    private void fail(PeFailedException e) {
        failure = e;
        completed = posted;
        Arrays.fill(tickets, DONE);
        Arrays.fill(counters, NO_COUNTER);
        strong.clear();
        strongTicket = NO_TICKET;
    }

    /// Returns the ticket that this queue waits for, or 0.
    long awaited() {
        lock.lock();
        try {
            if (!strong.isEmpty()) {
                return Math.max(strongTicket, DONE);
            }
            return completed < wanted ? tickets[(int) (completed % depth)] : DONE;
        } finally {
            lock.unlock();
        }
    }

    /// Throws if the peer has failed.
    void checkAlive() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
        } finally {
            lock.unlock();
        }
    }

    boolean hasRoom() {
        lock.lock();
        try {
            if (posted - completed < depth) {
                return true;
            }
            wanted = Math.max(wanted, completed + 1);
            return false;
        } finally {
            lock.unlock();
        }
    }

    boolean isBusy() {
        lock.lock();
        try {
            return completed < posted || !strong.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /// Returns how many operations were posted.
    long posted() {
        lock.lock();
        try {
            return posted;
        } finally {
            lock.unlock();
        }
    }

    boolean hasCompleted(long operations) {
        lock.lock();
        try {
            wanted = Math.max(wanted, operations);
            return completed >= operations;
        } finally {
            lock.unlock();
        }
    }

    /// Returns how many operations of a window are under way.
    int pending(Window window) {
        lock.lock();
        try {
            wanted = posted;
            advance();
            int pending = 0;
            for (long each = completed; each < posted; each++) {
                int slot = (int) (each % depth);
                pending += targets[slot].equals(window) || sources[slot].equals(window) ? 1 : 0;
            }
            for (StrongSignal each : strong) {
                pending += each.view.equals(window.longs(context.index)) ? 1 : 0;
            }
            return pending;
        } finally {
            lock.unlock();
        }
    }

    /// Returns what is under way, for reports.
    String report() {
        lock.lock();
        try {
            return posted - completed + " operations and " + strong.size() + " strong signals to rank " + peer;
        } finally {
            lock.unlock();
        }
    }
}
