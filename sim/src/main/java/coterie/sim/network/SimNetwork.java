// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.SignalOperation;
import coterie.sim.schedule.SimulatedTask;
import coterie.sim.schedule.SimulationScheduler;
import coterie.spi.Conduit.Region;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The network of one run: it decides when messages arrive, and executes their effects.
///
/// ```
///  SimChannel.put …          the PE's clock advances; PEs with an earlier clock run first
///    ▼ send                  departure: when the port is free; arrival: after the link's latency and the
///  perturbation SimulationScheduler.at
///    ▼ InFlightQueue.arrive  held while an operation before a fence has not taken effect
///  apply                     memory changes; the target's waits are woken; a result returns
/// ```
public final class SimNetwork {
    final SimulationScheduler scheduler;
    final NetworkModel model;
    final SimulatedMemory memory;
    final Perturbation perturbation;
    final @Nullable OperationObserver operationObserver;
    private final FailureListener failureListener;
    private final EventTrace trace;
    private final int size;

    /// When the port of a PE or, with higher indices, of a node can take the next message, outwards and inwards.
    private final long[] outFree;

    private final long[] inFree;
    private final long[] sent;
    private final long[] steps;
    private final int[] channels;
    private final BitSet failedPes = new BitSet();
    private long lost;

    /// Is notified of PEs that fail.
    public interface FailureListener {
        /// Called while the failed PE is still running.
        void failed(int pe, String why);
    }

    public SimNetwork(
            int size,
            NetworkModel model,
            Perturbation perturbation,
            SimulatedMemory memory,
            SimulationScheduler scheduler,
            @Nullable OperationObserver operationObserver,
            FailureListener failureListener,
            EventTrace trace) {
        this.size = size;
        this.model = model;
        this.perturbation = perturbation;
        this.memory = memory;
        this.scheduler = scheduler;
        this.operationObserver = operationObserver;
        this.failureListener = failureListener;
        this.trace = trace;
        this.outFree = new long[2 * size];
        this.inFree = new long[2 * size];
        this.sent = new long[size];
        this.steps = new long[size];
        this.channels = new int[size];
    }

    /// Returns the number of messages that cut links have lost.
    public long lost() {
        return lost;
    }

    int nextChannel(int pe) {
        return channels[pe]++;
    }

    /// Starts an operation of a PE: the PE may fail now, pause, or let other PEs run first.
    void step(SimulatedTask task) {
        int pe = task.pe();
        long step = ++steps[pe];
        Long failure = model.failures().isEmpty() ? null : model.failures().get(pe);
        if (failure != null && step >= failure) {
            failedPes.set(pe);
            failureListener.failed(pe, "the simulator's setting \"die\" ends it at its operation " + step);
            scheduler.kill(task);
        }
        scheduler.point(task, model.overhead(pe) + perturbation.pause(pe, step));
    }

    /// Sends a message of the running PE.
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

    /// Returns when a message arrives that leaves as soon as its port is free, or `Long.MAX_VALUE` if it is lost.
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

    /// Occupies a port for a message. Returns the time from which on the message has it.
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

    /// Executes the effect of a message, or of a piece of it.
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
        if (message.kind.fetches && !failedPes.get(peer)) {
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
                                    + ": the source was closed before the put was complete; close it after a quiet",
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

    /// Returns the region of a remote place; see [SimConduit].
    static Region region(long remote) {
        return remote >= SimConduit.SYNC_BASE ? Region.SYNC : Region.HEAP;
    }

    static long offset(long remote) {
        return remote - (remote >= SimConduit.SYNC_BASE ? SimConduit.SYNC_BASE : SimConduit.HEAP_BASE);
    }
}
