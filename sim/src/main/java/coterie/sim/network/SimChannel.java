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

/// A channel of a PE. Every operation becomes a [Message]; nothing is ever done at once.
///
/// What is put is taken from the program's memory as late as the contract allows: when it arrives, or when the
/// program asks whether it may reuse it. What is fetched is handed over as late: when the program asks for it, or
/// for a quiet.
final class SimChannel implements Channel {
    /// A blocking put of so many bytes is copied at once, and has not to wait for the port.
    private static final long EAGER = 256;

    /// Longer ones are not copied at all: they block until they have taken effect.
    private static final long MOST_COPIED = 1 << 20;

    private static final long QUIET = 1L << 62;
    private static final int ASKED_BITS = 44;

    final SimNetwork network;
    final int pe;
    private final int id;
    private final Thread somebodyElse;
    private final InFlightQueues queues = new InFlightQueues();
    private final List<Message> toHandOver = new ArrayList<>();

    /// Operations with a ticket that is not known to be done, by ticket modulo the length.
    private @Nullable Message[] pending = new Message[16];

    private long tickets;

    /// Operations that are under way.
    long outstanding;

    private long quietAt;
    private boolean isFull;

    /// @param somebodyElse a thread that is not the PE's
    SimChannel(SimNetwork network, int pe, Thread somebodyElse) {
        this.network = network;
        this.pe = pe;
        this.id = network.nextChannel(pe);
        this.somebodyElse = somebodyElse;
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
        // A put to oneself may write to what its later pieces are to be taken from.
        if (!source.isAccessibleBy(somebodyElse) || (peer == pe && length <= MOST_COPIED)) {
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
        int place = (int) ticket & (pending.length - 1);
        while (pending[place] != null && !hasCompleted(pending[place])) {
            widen();
            place = (int) ticket & (pending.length - 1);
        }
        message.ticket = ticket;
        pending[place] = message;
        return ticket;
    }

    /// Whether nobody needs the ticket of this operation any more.
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
            long ticket = QUIET | ((peer + 1L) << ASKED_BITS) | issued();
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
            int place = (int) ticket & (pending.length - 1);
            Message message = pending[place];
            if (message == null || message.ticket != ticket) {
                return true;
            }
            boolean done = message.kind.fetches ? hasReturned(message) : isReusable(message, task);
            if (done) {
                pending[place] = null;
            }
            return done;
        } finally {
            network.scheduler.exit(task);
        }
    }

    private boolean hasReturned(Message message) {
        if (message.returned) {
            handOver(message);
        }
        return message.returned;
    }

    /// Whether the source of a put may be reused; makes it so where it can.
    private boolean isReusable(Message message, SimulatedTask task) {
        if (message.applied || message.taken) {
            return true;
        }
        if (message.length > MOST_COPIED) {
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
        int peer = (int) ((ticket & ~QUIET) >>> ASKED_BITS) - 1;
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
        for (Message message : toHandOver) {
            if (queue == null || message.queue == queue) {
                handOver(message);
            }
        }
        toHandOver.removeIf(message -> message.taken);
        if (network.operationObserver != null) {
            network.operationObserver.completed(pe, id, peer, ticket & ((1L << ASKED_BITS) - 1));
        }
        return true;
    }

    /// Reads what a get fetches, at its target: at once, or when it is handed over, if it is long.
    void fetch(Message message) {
        if (message.length <= MOST_COPIED) {
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) message.length]);
            network.memory.read(message.region, message.queue.peer, message.offset, message.length, copy, 0);
            message.fetched = copy;
        }
    }

    /// What was fetched is back.
    void returned(Message message) {
        message.returned = true;
        if (toHandOver.size() == 64) {
            toHandOver.removeIf(earlier -> earlier.taken);
        }
        toHandOver.add(message);
        completed(message, network.scheduler.now());
        network.scheduler.wake(pe, network.scheduler.now());
    }

    private void handOver(Message message) {
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

    /// An operation is over, as its origin knows from a time on.
    void completed(Message message, long known) {
        InFlightQueue queue = message.queue;
        outstanding--;
        queue.outstanding--;
        quietAt = Math.max(quietAt, known);
        queue.quietAt = Math.max(queue.quietAt, known);
        if (isFull || queue.outstanding == 0 || message.length > MOST_COPIED) {
            network.scheduler.wake(pe, known);
        }
    }

    @Override
    public void close() {} // what is under way still takes effect
}
