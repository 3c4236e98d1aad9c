// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.sim.network.Message.Kind;
import coterie.sim.schedule.SimulatedTask;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A channel of a PE. Each operation becomes a [Message]; no operation takes effect at once.
///
/// The channel copies the source of a put as late as the contract allows: when the message arrives, or when the
/// program asks whether it may reuse the source. It delivers results as late: when the program tests their ticket,
/// or completes a quiet.
final class SimChannel implements Channel {
    /// A blocking put of at most so many bytes copies its source at once, and does not wait for the port.
    private static final long EAGER = 256;

    /// A longer put does not copy its source: a blocking one returns after it has taken effect.
    private static final long MAX_COPIED = 1 << 20;

    private static final long QUIET = 1L << 62;
    private static final int ISSUED_BITS = 44;

    final SimNetwork network;
    final int pe;
    private final int id;
    private final Thread otherThread;
    private final InFlightQueues queues = new InFlightQueues();
    private final List<Message> undelivered = new ArrayList<>();

    /// Operations whose ticket may not be done, by ticket modulo the length.
    private @Nullable Message[] pending = new Message[16];

    private long tickets;

    /// Operations in flight.
    long outstanding;

    private long quietAt;
    private boolean isFull;

    /// @param otherThread a thread that is not the PE's, to find out whether a source is confined
    SimChannel(SimNetwork network, int pe, Thread otherThread) {
        this.network = network;
        this.pe = pe;
        this.id = network.nextChannel(pe);
        this.otherThread = otherThread;
    }

    @Override
    public boolean accepts(int peer) {
        isFull = outstanding >= network.model.pressure();
        return !isFull;
    }

    @Override
    public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.step(task);
            Message message = putMessage(source, sourceOffset, length, peer, remote);
            network.send(message, task);
            return ticket(message);
        } finally {
            network.scheduler.exit(task);
        }
    }

    @Override
    public long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.step(task);
            Message message = putMessage(source, sourceOffset, length, peer, remote);
            message.update = update;
            message.signalRegion = SimNetwork.region(signal);
            message.signalOffset = SimNetwork.offset(signal);
            message.signalValue = value;
            if (network.operationObserver != null) {
                message.signalMark = network.operationObserver.signals(
                        pe, id, peer, message.mark, message.signalRegion, message.signalOffset);
            }
            network.send(message, task);
            return ticket(message);
        } finally {
            network.scheduler.exit(task);
        }
    }

    private Message putMessage(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        Message message = message(Kind.PUT, peer, remote, length);
        message.source = source;
        message.sourceOffset = sourceOffset;
        if (network.operationObserver != null) {
            if (length > 0 && source.isNative()) {
                long own = network.memory.offsetInHeap(pe, source.address() + sourceOffset, length);
                if (own >= 0) {
                    network.operationObserver.sourced(pe, own, length);
                }
            }
            message.mark = length == 0 ? null : mark(OperationObserver.Kind.PUT, message);
        }
        // A put to this PE may write to the source of its later pieces.
        if (!source.isAccessibleBy(otherThread) || (peer == pe && length <= MAX_COPIED)) {
            message.fetch();
        }
        return message;
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return fetch(message(Kind.GET, peer, remote, length), OperationObserver.Kind.GET, target, targetOffset);
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        Message message = message(Kind.WORD, peer, remote, bytes);
        message.operand = word;
        oneWay(message, OperationObserver.Kind.WORD);
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return fetch(message(Kind.GET_WORD, peer, remote, bytes), OperationObserver.Kind.GET, result, resultOffset);
    }

    @Override
    public long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset) {
        Message message = message(Kind.ATOMIC, peer, remote, bytes);
        message.operation = operation;
        message.operand = operand;
        OperationObserver.Kind kind =
                operation == AtomicOperation.FETCH ? OperationObserver.Kind.FETCH : OperationObserver.Kind.ATOMIC;
        return fetch(message, kind, result, resultOffset);
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        Message message = message(Kind.UPDATE, peer, remote, bytes);
        message.operation = operation;
        message.operand = operand;
        oneWay(message, OperationObserver.Kind.UPDATE);
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        Message message = message(Kind.SWAP, peer, remote, bytes);
        message.expected = expected;
        message.operand = value;
        return fetch(message, OperationObserver.Kind.COMPARE, result, resultOffset);
    }

    private void oneWay(Message message, OperationObserver.Kind kind) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.step(task);
            message.mark = mark(kind, message);
            message.taken = true;
            network.send(message, task);
        } finally {
            network.scheduler.exit(task);
        }
    }

    private long fetch(Message message, OperationObserver.Kind kind, MemorySegment result, long resultOffset) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.step(task);
            message.mark = mark(kind, message);
            message.result = result;
            message.resultOffset = resultOffset;
            network.send(message, task);
            return ticket(message);
        } finally {
            network.scheduler.exit(task);
        }
    }

    private Message message(Kind kind, int peer, long remote, long length) {
        return new Message(kind, this, queue(peer), SimNetwork.region(remote), SimNetwork.offset(remote), length);
    }

    private @Nullable Object mark(OperationObserver.Kind kind, Message message) {
        return network.operationObserver == null
                ? null
                : network.operationObserver.started(
                        pe,
                        id,
                        message.queue.peer,
                        kind,
                        message.region,
                        message.offset,
                        message.length,
                        content(message));
    }

    private static long content(Message message) {
        return switch (message.kind) {
            case WORD -> message.operand;
            case PUT -> SimulatedMemory.digest(message.source, message.sourceOffset, message.length);
            default -> 0;
        };
    }

    private long issued() {
        return network.operationObserver == null ? 0 : network.operationObserver.issued(pe, id);
    }

    private InFlightQueue queue(int peer) {
        InFlightQueue queue = queues.of(peer);
        if (queue == null) {
            queue = new InFlightQueue(this, peer, network.model.link(pe, peer));
            queues.add(queue);
        }
        return queue;
    }

    private long ticket(Message message) {
        long ticket = ++tickets;
        int slot = (int) ticket & (pending.length - 1);
        while (pending[slot] != null && !hasCompleted(pending[slot])) {
            widen();
            slot = (int) ticket & (pending.length - 1);
        }
        message.ticket = ticket;
        pending[slot] = message;
        return ticket;
    }

    /// Returns whether the operation is complete, so that its entry can be reused.
    private static boolean hasCompleted(@Nullable Message message) {
        return message == null || (message.kind.fetches ? message.returned && message.taken : message.applied);
    }

    private void widen() {
        Message[] old = pending;
        pending = new Message[2 * old.length];
        for (Message message : old) {
            if (message != null) {
                pending[(int) message.ticket & (pending.length - 1)] = message;
            }
        }
    }

    @Override
    public void fence() {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.scheduler.point(task, network.model.overhead(pe));
            queues.fence();
            if (network.operationObserver != null) {
                network.operationObserver.fenced(pe, id);
            }
        } finally {
            network.scheduler.exit(task);
        }
    }

    @Override
    public long quiet(int peer) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            network.scheduler.point(task, network.model.overhead(pe));
            long ticket = QUIET | ((peer + 1L) << ISSUED_BITS) | issued();
            return isQuiet(ticket, task) ? 0 : ticket;
        } finally {
            network.scheduler.exit(task);
        }
    }

    @Override
    public boolean isDone(long ticket) {
        SimulatedTask task = network.scheduler.enter(pe);
        try {
            if ((ticket & QUIET) != 0) {
                return isQuiet(ticket, task);
            }
            int slot = (int) ticket & (pending.length - 1);
            Message message = pending[slot];
            if (message == null || message.ticket != ticket) {
                return true;
            }
            boolean done = message.kind.fetches ? hasReturned(message) : isReusable(message, task);
            if (done) {
                pending[slot] = null;
            }
            return done;
        } finally {
            network.scheduler.exit(task);
        }
    }

    private boolean hasReturned(Message message) {
        if (message.returned) {
            deliver(message);
        }
        return message.returned;
    }

    /// Returns whether the source of a put may be reused; copies it first where necessary and possible.
    private boolean isReusable(Message message, SimulatedTask task) {
        if (message.applied || message.taken) {
            return true;
        }
        if (message.length > MAX_COPIED) {
            return false;
        }
        if (message.length > EAGER && task.clock() < message.departs) {
            task.expect(message.departs);
            return false;
        }
        message.fetch();
        return true;
    }

    private boolean isQuiet(long ticket, SimulatedTask task) {
        int peer = (int) ((ticket & ~QUIET) >>> ISSUED_BITS) - 1;
        InFlightQueue queue = peer == ALL_PEERS ? null : queue(peer);
        long left = queue == null ? outstanding : queue.outstanding;
        long at = queue == null ? quietAt : queue.quietAt;
        if (left > 0) {
            return false;
        }
        if (task.clock() < at) {
            task.expect(at);
            return false;
        }
        for (Message message : undelivered) {
            if (queue == null || message.queue == queue) {
                deliver(message);
            }
        }
        undelivered.removeIf(message -> message.taken);
        if (network.operationObserver != null) {
            network.operationObserver.completed(pe, id, peer, ticket & ((1L << ISSUED_BITS) - 1));
        }
        return true;
    }

    /// Reads the bytes of a get at its target: now, or if there are many, when they are delivered.
    void fetch(Message message) {
        if (message.length <= MAX_COPIED) {
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) message.length]);
            network.memory.read(message.region, message.queue.peer, message.offset, message.length, copy, 0);
            message.fetched = copy;
        }
    }

    /// Handles the arrival of a result at the origin.
    void returned(Message message) {
        message.returned = true;
        if (undelivered.size() == 64) {
            undelivered.removeIf(earlier -> earlier.taken);
        }
        undelivered.add(message);
        completed(message, network.scheduler.now());
        network.scheduler.wake(pe, network.scheduler.now());
    }

    private void deliver(Message message) {
        if (message.taken) {
            return;
        }
        message.taken = true;
        if (message.kind != Kind.GET) {
            SimulatedMemory.store(message.result, message.resultOffset, (int) message.length, message.word);
        } else if (message.fetched != null) {
            MemorySegment.copy(message.fetched, 0, message.result, message.resultOffset, message.length);
        } else {
            network.memory.read(
                    message.region,
                    message.queue.peer,
                    message.offset,
                    message.length,
                    message.result,
                    message.resultOffset);
        }
        if (network.operationObserver != null && message.mark != null) {
            network.operationObserver.returned(message.mark);
        }
    }

    /// Counts an operation as complete. Its origin knows this from time `known` on.
    void completed(Message message, long known) {
        InFlightQueue queue = message.queue;
        outstanding--;
        queue.outstanding--;
        quietAt = Math.max(quietAt, known);
        queue.quietAt = Math.max(queue.quietAt, known);
        if (isFull || queue.outstanding == 0 || message.length > MAX_COPIED) {
            network.scheduler.wake(pe, known);
        }
    }

    @Override
    public void close() {} // operations in flight still take effect
}
