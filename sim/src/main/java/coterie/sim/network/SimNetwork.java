// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.SignalOperation;
import coterie.sim.schedule.SimulatedTask;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.Conduit.Region;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The network of one performance: when messages arrive, and what they do then.
///
/// ```
///  SimChannel.put …          the PE's clock goes on, others whose turn it is run first
///    ▼ send                  departure: when the port is free; arrival: by the link, and later by the seed
///  Schedule.at
///    ▼ Lane.arrive           held while something before a fence has not taken effect
///  apply                     memory changes; the target's waits are woken; what fetches returns
/// ```
public final class SimNetwork {
    final SimulationScheduler scheduler;
    final NetworkModel model;
    final SimulatedMemory memory;
    final Perturbation perturbation;
    final @Nullable OperationObserver operationObserver;
    private final Deaths deaths;
    private final EventTrace trace;
    private final int size;

    /// When a PE's port, or behind them a node's, can take the next message, outwards and inwards.
    private final long[] outFree;

    private final long[] inFree;
    private final long[] sent;
    private final long[] steps;
    private final int[] channels;
    private final BitSet dead = new BitSet();
    private long operations;
    private long lost;

    /// Is told when a PE dies.
    public interface Deaths {
        /// To be called while the PE still has the stage.
        void died(int pe, String why);
    }

    public SimNetwork(
            int size,
            NetworkModel model,
            Perturbation perturbation,
            SimulatedMemory memory,
            SimulationScheduler scheduler,
            @Nullable OperationObserver operationObserver,
            Deaths deaths,
            EventTrace trace) {
        this.size = size;
        this.model = model;
        this.perturbation = perturbation;
        this.memory = memory;
        this.scheduler = scheduler;
        this.operationObserver = operationObserver;
        this.deaths = deaths;
        this.trace = trace;
        this.outFree = new long[2 * size];
        this.inFree = new long[2 * size];
        this.sent = new long[size];
        this.steps = new long[size];
        this.channels = new int[size];
    }

    /// Operations so far.
    public long operations() {
        return operations;
    }

    /// Messages that a cut link has swallowed.
    public long lost() {
        return lost;
    }

    int size() {
        return size;
    }

    int nextChannel(int pe) {
        return channels[pe]++;
    }

    /// A PE starts an operation: it may die now, pause, or let others go first.
    void step(SimulatedTask task) {
        int pe = task.pe();
        long step = ++steps[pe];
        operations++;
        Long death = model.deaths().isEmpty() ? null : model.deaths().get(pe);
        if (death != null && step >= death) {
            dead.set(pe);
            deaths.died(pe, "it was to die at its operation " + step);
            scheduler.kill(task);
        }
        scheduler.point(task, model.overhead(pe) + perturbation.pause(pe, step));
    }

    /// Sends a message that its PE starts now.
    void send(Message message, SimulatedTask task) {
        int pe = task.pe();
        InFlightQueue queue = message.queue;
        message.sent = sent[pe];
        if (message.kind.isOrdered()) {
            message.number = queue.completedPrefix.start();
            message.after = queue.fence;
        }
        queue.outstanding++;
        message.channel.outstanding++;
        long bytes = message.kind.fetches ? Long.BYTES : message.length;
        message.pieces = bytes <= model.mtu() ? 1 : (int) ((bytes + model.mtu() - 1) / model.mtu());
        sent[pe] += message.pieces + 1;
        for (int piece = 0; piece < message.pieces; piece++) {
            long from = (long) piece * model.mtu();
            long length = Math.min(model.mtu(), bytes - from);
            long arrival = travel(pe, queue, length, task.clock(), message.sent + piece);
            message.departs = arrival - queue.link.latency();
            if (arrival == Long.MAX_VALUE) {
                lost++;
                message.departs = task.clock();
            } else if (message.pieces == 1) {
                scheduler.at(arrival, message);
            } else {
                scheduler.at(arrival, new Message.Piece(message, from, length));
            }
        }
    }

    /// When a message comes that leaves as soon as it can, or `Long.MAX_VALUE` if it is lost.
    private long travel(int pe, InFlightQueue queue, long bytes, long time, long number) {
        long departure = occupy(outFree, pe, queue, bytes, time);
        long arrival = occupy(inFree, queue.peer, queue, bytes, departure + queue.link.latency());
        arrival += queue.link.occupies(bytes) + perturbation.late(pe, number);
        for (NetworkModel.Outage outage : model.outages()) {
            if (outage.holds(pe, queue.peer, departure)) {
                if (outage.end() == Long.MAX_VALUE) {
                    return Long.MAX_VALUE;
                }
                arrival = Math.max(arrival, outage.end() + queue.link.latency());
            }
        }
        return arrival;
    }

    /// Takes a port for a message; returns from when on.
    private long occupy(long[] free, int pe, InFlightQueue queue, long bytes, long time) {
        int port = queue.link.equals(model.far()) || !isNear(queue)
                ? size + model.nodes().get(pe)
                : pe;
        long begin = Math.max(time, free[port]);
        free[port] = begin + queue.link.occupies(bytes);
        return begin;
    }

    private boolean isNear(InFlightQueue queue) {
        return model.nodes().get(queue.channel.pe).equals(model.nodes().get(queue.peer));
    }

    /// A message, or a piece of it, takes effect.
    void apply(Message message, long from, long length) {
        InFlightQueue queue = message.queue;
        int pe = message.channel.pe;
        int peer = queue.peer;
        trace.event(scheduler.now(), message.kind, pe, peer, message.region, message.offset + from, length);
        switch (message.kind) {
            case PUT -> {
                write(message, from, length);
                if (--message.pieces > 0) {
                    return;
                }
                signal(message);
            }
            case WORD -> memory.store(message.region, peer, message.offset, (int) message.length, message.operand);
            case UPDATE, ATOMIC ->
                message.word = memory.apply(
                        message.operation, message.region, peer, message.offset, (int) message.length, message.operand);
            case SWAP ->
                message.word = memory.compareAndSwap(
                        message.region, peer, message.offset, (int) message.length, message.expected, message.operand);
            case GET_WORD -> message.word = memory.load(message.region, peer, message.offset, (int) message.length);
            case GET -> message.channel.fetch(message);
        }
        message.applied = true;
        if (operationObserver != null && message.mark != null) {
            operationObserver.applied(
                    message.mark,
                    message.kind != Message.Kind.SWAP
                            || SimulatedMemory.isSwapped(message.word, message.expected, (int) message.length));
        }
        if (operationObserver != null && message.signalMark != null) {
            operationObserver.applied(message.signalMark, true);
        }
        if (message.kind.isOrdered()) {
            scheduler.moved();
            scheduler.wake(peer, scheduler.now());
        }
        if (message.kind.fetches && !dead.get(peer)) {
            long back = scheduler.now()
                    + queue.link.latency()
                    + queue.link.occupies(message.length)
                    + perturbation.late(pe, message.sent + 1);
            message.returns = true;
            scheduler.at(back, message);
        } else {
            message.channel.completed(message, scheduler.now() + queue.link.latency());
        }
        if (message.kind.isOrdered()) {
            queue.finish(message);
        }
    }

    private void write(Message message, long from, long length) {
        if (length == 0) {
            return;
        }
        try {
            memory.write(
                    message.source,
                    message.sourceOffset + from,
                    length,
                    message.region,
                    message.queue.peer,
                    message.offset + from);
        } catch (IllegalStateException e) {
            int pe = message.channel.pe;
            scheduler.fault(
                    pe,
                    new IllegalStateException(
                            "put on PE " + pe + " to PE " + message.queue.peer
                                    + ": its source was closed before the put was complete; close it after a quiet",
                            e));
        }
    }

    private void signal(Message message) {
        SignalOperation update = message.update;
        if (update != null) {
            long value = message.signalValue;
            long before = memory.load(message.signalRegion, message.queue.peer, message.signalOffset, Long.BYTES);
            memory.store(
                    message.signalRegion,
                    message.queue.peer,
                    message.signalOffset,
                    Long.BYTES,
                    update == SignalOperation.SET ? value : before + value);
        }
    }

    /// The region that a place names; see [SimConduit].
    static Region region(long remote) {
        return remote >= SimConduit.SYNC_BASE ? Region.SYNC : Region.HEAP;
    }

    static long offset(long remote) {
        return remote - (remote >= SimConduit.SYNC_BASE ? SimConduit.SYNC_BASE : SimConduit.HEAP_BASE);
    }
}
