// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import coterie.sim.network.Message.Kind;
import coterie.sim.schedule.Task;
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
    private final Lanes lanes = new Lanes();
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
        Task task = network.schedule.enter(pe);
        try {
            network.step(task);
            Message message = putMessage(source, sourceOffset, length, peer, remote);
            network.send(message, task);
            return ticket(message);
        } finally {
            network.schedule.exit(task);
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
            SignalUpdate update,
            long value) {
        Task task = network.schedule.enter(pe);
        try {
            network.step(task);
            Message message = putMessage(source, sourceOffset, length, peer, remote);
            message.update = update;
            message.signalRegion = SimNetwork.region(signal);
            message.signalOffset = SimNetwork.offset(signal);
            message.signalValue = value;
            if (network.watcher != null) {
                message.signalMark =
                        network.watcher.signals(pe, id, peer, message.mark, message.signalRegion, message.signalOffset);
            }
            network.send(message, task);
            return ticket(message);
        } finally {
            network.schedule.exit(task);
        }
    }

    private Message putMessage(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
        Message message = message(Kind.PUT, peer, remote, length);
        message.source = source;
        message.sourceOffset = sourceOffset;
        if (network.watcher != null) {
            if (length > 0 && source.isNative()) {
                long own = network.memory.offsetInHeap(pe, source.address() + sourceOffset, length);
                if (own >= 0) {
                    network.watcher.sourced(pe, own, length);
                }
            }
            message.mark = length == 0 ? null : mark(Watcher.Kind.PUT, message);
        }
        // A put to oneself may write to what its later pieces are to be taken from.
        if (!source.isAccessibleBy(somebodyElse) || (peer == pe && length <= MOST_COPIED)) {
            message.take();
        }
        return message;
    }

    @Override
    public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
        return fetch(message(Kind.GET, peer, remote, length), Watcher.Kind.GET, target, targetOffset);
    }

    @Override
    public void putWord(long word, int bytes, int peer, long remote) {
        Message message = message(Kind.WORD, peer, remote, bytes);
        message.operand = word;
        oneWay(message, Watcher.Kind.WORD);
    }

    @Override
    public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        return fetch(message(Kind.GET_WORD, peer, remote, bytes), Watcher.Kind.GET, result, resultOffset);
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
        Watcher.Kind kind = operation == AtomicOperation.FETCH ? Watcher.Kind.FETCH : Watcher.Kind.ATOMIC;
        return fetch(message, kind, result, resultOffset);
    }

    @Override
    public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {
        Message message = message(Kind.UPDATE, peer, remote, bytes);
        message.operation = operation;
        message.operand = operand;
        oneWay(message, Watcher.Kind.UPDATE);
    }

    @Override
    public long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
        Message message = message(Kind.SWAP, peer, remote, bytes);
        message.expected = expected;
        message.operand = value;
        return fetch(message, Watcher.Kind.COMPARE, result, resultOffset);
    }

    private void oneWay(Message message, Watcher.Kind kind) {
        Task task = network.schedule.enter(pe);
        try {
            network.step(task);
            message.mark = mark(kind, message);
            message.taken = true;
            network.send(message, task);
        } finally {
            network.schedule.exit(task);
        }
    }

    private long fetch(Message message, Watcher.Kind kind, MemorySegment result, long resultOffset) {
        Task task = network.schedule.enter(pe);
        try {
            network.step(task);
            message.mark = mark(kind, message);
            message.result = result;
            message.resultOffset = resultOffset;
            network.send(message, task);
            return ticket(message);
        } finally {
            network.schedule.exit(task);
        }
    }

    private Message message(Kind kind, int peer, long remote, long length) {
        return new Message(kind, this, lane(peer), SimNetwork.region(remote), SimNetwork.offset(remote), length);
    }

    private @Nullable Object mark(Watcher.Kind kind, Message message) {
        return network.watcher == null
                ? null
                : network.watcher.started(
                        pe,
                        id,
                        message.lane.peer,
                        kind,
                        message.region,
                        message.offset,
                        message.length,
                        content(message));
    }

    private static long content(Message message) {
        return switch (message.kind) {
            case WORD -> message.operand;
            case PUT -> Memory.digest(message.source, message.sourceOffset, message.length);
            default -> 0;
        };
    }

    private long issued() {
        return network.watcher == null ? 0 : network.watcher.issued(pe, id);
    }

    private Lane lane(int peer) {
        Lane lane = lanes.of(peer);
        if (lane == null) {
            lane = new Lane(this, peer, network.model.link(pe, peer));
            lanes.add(lane);
        }
        return lane;
    }

    private long ticket(Message message) {
        long ticket = ++tickets;
        int place = (int) ticket & (pending.length - 1);
        while (pending[place] != null && !isOver(pending[place])) {
            widen();
            place = (int) ticket & (pending.length - 1);
        }
        message.ticket = ticket;
        pending[place] = message;
        return ticket;
    }

    /// Whether nobody needs the ticket of this operation any more.
    private static boolean isOver(@Nullable Message message) {
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
        Task task = network.schedule.enter(pe);
        try {
            network.schedule.point(task, network.model.overhead(pe));
            lanes.fence();
            if (network.watcher != null) {
                network.watcher.fenced(pe, id);
            }
        } finally {
            network.schedule.exit(task);
        }
    }

    @Override
    public long quiet(int peer) {
        Task task = network.schedule.enter(pe);
        try {
            network.schedule.point(task, network.model.overhead(pe));
            long ticket = QUIET | ((peer + 1L) << ASKED_BITS) | issued();
            return isQuiet(ticket, task) ? 0 : ticket;
        } finally {
            network.schedule.exit(task);
        }
    }

    @Override
    public boolean isDone(long ticket) {
        Task task = network.schedule.enter(pe);
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
            network.schedule.exit(task);
        }
    }

    private boolean hasReturned(Message message) {
        if (message.returned) {
            handOver(message);
        }
        return message.returned;
    }

    /// Whether the source of a put may be reused; makes it so where it can.
    private boolean isReusable(Message message, Task task) {
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
        message.take();
        return true;
    }

    private boolean isQuiet(long ticket, Task task) {
        int peer = (int) ((ticket & ~QUIET) >>> ASKED_BITS) - 1;
        Lane lane = peer == ALL_PEERS ? null : lane(peer);
        long left = lane == null ? outstanding : lane.outstanding;
        long at = lane == null ? quietAt : lane.quietAt;
        if (left > 0) {
            return false;
        }
        if (task.clock() < at) {
            task.expect(at);
            return false;
        }
        for (Message message : toHandOver) {
            if (lane == null || message.lane == lane) {
                handOver(message);
            }
        }
        toHandOver.removeIf(message -> message.taken);
        if (network.watcher != null) {
            network.watcher.completed(pe, id, peer, ticket & ((1L << ASKED_BITS) - 1));
        }
        return true;
    }

    /// Reads what a get fetches, at its target: at once, or when it is handed over, if it is long.
    void fetch(Message message) {
        if (message.length <= MOST_COPIED) {
            MemorySegment copy = MemorySegment.ofArray(new byte[(int) message.length]);
            network.memory.read(message.region, message.lane.peer, message.offset, message.length, copy, 0);
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
        completed(message, network.schedule.now());
        network.schedule.wake(pe, network.schedule.now());
    }

    private void handOver(Message message) {
        if (message.taken) {
            return;
        }
        message.taken = true;
        if (message.kind != Kind.GET) {
            Memory.store(message.result, message.resultOffset, (int) message.length, message.word);
        } else if (message.fetched != null) {
            MemorySegment.copy(message.fetched, 0, message.result, message.resultOffset, message.length);
        } else {
            network.memory.read(
                    message.region,
                    message.lane.peer,
                    message.offset,
                    message.length,
                    message.result,
                    message.resultOffset);
        }
        if (network.watcher != null && message.mark != null) {
            network.watcher.returned(message.mark);
        }
    }

    /// An operation is over, as its origin knows from a time on.
    void completed(Message message, long known) {
        Lane lane = message.lane;
        outstanding--;
        lane.outstanding--;
        quietAt = Math.max(quietAt, known);
        lane.quietAt = Math.max(lane.quietAt, known);
        if (isFull || lane.outstanding == 0 || message.length > MOST_COPIED) {
            network.schedule.wake(pe, known);
        }
    }

    @Override
    public void close() {} // what is under way still takes effect
}
