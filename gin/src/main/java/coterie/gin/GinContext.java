// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.Comparison;
import coterie.Context;
import coterie.IntegerView;
import coterie.SessionOption;
import coterie.SymmetricMemory;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One context of a communicator: a context of core, its signals and counters, and a queue for each peer that is
/// not direct.
final class GinContext {
    private static final int NO_COUNTER = -1;

    private static final VarHandle LOOK = ValueLayout.JAVA_LONG.varHandle();

    final DeviceCommunicator comm;
    final int index;
    final Context context;

    /// the communicator's words through this context, as unsigned numbers
    final IntegerView words;

    final Numbers signals;
    final Numbers counters;
    final SignalUse use;

    private final SymmetricMemory memory;
    private final @Nullable GinPeerQueue[] queues;

    /// by the first signal of a barrier
    private final Map<Integer, BarrierSlot> barriers = new ConcurrentHashMap<>();

    private boolean isAggregating;

    GinContext(DeviceCommunicator comm, int index, SymmetricMemory memory) {
        this.comm = comm;
        this.index = index;
        this.memory = memory;
        this.signals = new Numbers(comm.layout().namedSignals);
        this.counters = new Numbers(comm.layout().counters);
        this.use = new SignalUse(comm, this);
        this.context = comm.coterieTeam().createContext();
        this.words = memory.longs().unsigned().through(context).named(new CommunicatorWords(comm));
        this.queues = new GinPeerQueue[comm.size()];
        for (int peer = 0; peer < queues.length; peer++) {
            queues[peer] = comm.isDirect(peer) ? null : new GinPeerQueue(this, peer);
        }
    }

    /// What the caller knows of its own signals or counters: the offset of each since its last reset, and the
    /// shadow of each. A reset stores no zero, so that it loses no increment that comes late.
    static final class Numbers {
        private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);
        private final long[] offsets;
        private final long[] shadows;

        Numbers(int count) {
            offsets = new long[count];
            shadows = new long[count];
        }

        long offset(int id) {
            return (long) LONGS.getAcquire(offsets, id);
        }

        void reset(int id, long raw) {
            LONGS.setRelease(shadows, id, 0L);
            LONGS.setRelease(offsets, id, raw);
        }

        long shadow(int id) {
            return (long) LONGS.getAcquire(shadows, id);
        }

        void shadow(int id, long value) {
            LONGS.setRelease(shadows, id, value);
        }

        void increaseShadow(int id, long delta) {
            LONGS.getAndAdd(shadows, id, delta);
        }
    }

    /// Returns the object for operations, with the timeout of the communicator.
    Gin gin() {
        return new Gin(this, comm.timeout());
    }

    /// Returns how messages begin.
    String where(String operation) {
        return operation + " on " + comm + ", context " + index;
    }

    /// Loads a word of the caller; what was ordered before its value is visible.
    long raw(long word) {
        return raw(words, word);
    }

    /// @param words unsigned
    static long raw(IntegerView words, long word) {
        return words.waitUntil(word, Comparison.GE, 0); // no unsigned number is less
    }

    /// Loads a word of the caller for a report: the program has not read it.
    long look(long word) {
        return (long) LOOK.getAcquire(memory.segment(), word * Long.BYTES);
    }

    /// Returns the value of a signal of the caller since its last reset, for a report.
    long lookAtSignal(int signal) {
        return look(comm.layout().signal(index, signal)) - signals.offset(signal);
    }

    /// Returns the value of a signal of the caller since its last reset.
    long signalValue(int signal) {
        return raw(comm.layout().signal(index, signal)) - signals.offset(signal);
    }

    BarrierSlot barrier(int firstSignal) {
        return barriers.computeIfAbsent(firstSignal, _ -> new BarrierSlot());
    }

    /// Returns the number of syncs of a barrier that the caller has begun on this context.
    long syncs(int firstSignal) {
        BarrierSlot slot = barriers.get(firstSignal);
        return slot == null ? 0 : slot.syncs();
    }

    /// Puts bytes between windows, and acts.
    void put(
            Window target,
            long targetOffset,
            Window source,
            long sourceOffset,
            long bytes,
            int peer,
            RemoteAction remote,
            LocalAction local) {
        long to = target.base(peer) + targetOffset;
        long from = source.base(comm.rank()) + sourceOffset;
        GinPeerQueue queue = queues[peer];
        if (queue == null) {
            target.bytes(index).put(to, source.segment(), from, bytes, peer);
            act(remote, peer);
            if (!local.isNone()) {
                words.add(comm.layout().counter(index, local.counter()), 1, comm.rank());
            }
            return;
        }
        queue.put(
                target,
                to,
                source,
                source.segment(),
                from,
                bytes,
                remote,
                local.isNone() ? NO_COUNTER : local.counter());
    }

    /// Puts the low bytes of a value, and acts.
    void putValue(Window target, long targetOffset, long value, int bytes, int peer, RemoteAction remote) {
        long to = target.base(peer) + targetOffset;
        GinPeerQueue queue = queues[peer];
        if (queue != null) {
            queue.putValue(target, to, value, bytes, remote);
            return;
        }
        target.putWord(index, to, value, bytes, peer);
        act(remote, peer);
    }

    void get(Window source, long sourceOffset, Window target, long targetOffset, long bytes, int peer) {
        long from = source.base(peer) + sourceOffset;
        long to = target.base(comm.rank()) + targetOffset;
        GinPeerQueue queue = queues[peer];
        if (queue == null) {
            source.bytes(index).get(from, target.segment(), to, bytes, peer);
        } else {
            queue.get(source, from, target, to, bytes);
        }
    }

    /// Sends an action without bytes.
    void signal(int peer, RemoteAction remote) {
        GinPeerQueue queue = queues[peer];
        if (queue == null) {
            act(remote, peer);
        } else {
            queue.signal(remote);
        }
    }

    /// Acts on a direct peer, after what this thread has stored there.
    private void act(RemoteAction remote, int peer) {
        if (!remote.isNone()) {
            VarHandle.releaseFence();
            Window window = remote.window();
            if (window == null) {
                if (comm.isDistributed()) {
                    words.add(comm.layout().sent(peer, index, (int) remote.place()), remote.value(), comm.rank());
                }
                words.add(comm.layout().signal(index, (int) remote.place()), remote.value(), peer);
            } else {
                window.longs(index).add(window.word(peer, remote.place()), remote.value(), peer);
            }
        }
    }

    /// Adds 1 to a word of a barrier at a peer.
    ///
    /// @param afterPuts whether the peer sees it after all earlier puts of this context to it
    void arrive(int signal, int peer, boolean afterPuts) {
        long word = comm.layout().signal(index, signal);
        GinPeerQueue queue = queues[peer];
        if (queue == null) {
            VarHandle.releaseFence();
            words.add(word, 1, peer);
        } else {
            queue.arrive(word, afterPuts);
        }
    }

    /// Notes the hint of an operation, before it.
    void hint(OptFlag flag) {
        if (flag == OptFlag.AGGREGATE_REQUESTS) {
            if (!isAggregating) {
                isAggregating = true;
                context.startSession(SessionOption.BATCH);
            }
        } else if (isAggregating) {
            isAggregating = false;
            context.stopSession();
        }
    }

    @Nullable
    GinPeerQueue queue(int peer) {
        return queues[peer];
    }

    /// Advances what this context has under way; returns whether anything has moved.
    boolean advance() {
        boolean moved = false;
        for (GinPeerQueue queue : queues) {
            if (queue != null) {
                moved |= queue.advance();
            }
        }
        return moved;
    }

    /// Returns whether operations or signals are under way.
    boolean isBusy() {
        return Arrays.stream(queues).anyMatch(queue -> queue != null && queue.isBusy());
    }

    /// Waits until what one queue waits for is complete, and advances all.
    void awaitNext() {
        for (GinPeerQueue queue : queues) {
            if (queue != null && queue.isBusy()) {
                context.complete(queue.awaited());
                break;
            }
        }
        advance();
    }

    /// Completes the operations of a window.
    void complete(Window window) {
        if (pending(window) > 0) {
            new Wait.Progress(
                            gin(),
                            () -> pending(window) == 0,
                            () -> where("close of " + window) + ": " + pending(window) + " operations are under way")
                    .run();
        }
    }

    /// Returns how many operations of a window are under way.
    int pending(Window window) {
        int pending = 0;
        for (GinPeerQueue queue : queues) {
            pending += queue == null ? 0 : queue.pending(window);
        }
        return pending;
    }

    /// Increments a counter of the caller, one thread at a time: for PEs that do not load and store their own
    /// memory.
    synchronized void count(int counter) {
        long word = comm.layout().counter(index, counter);
        if (comm.isDirect(comm.rank())) {
            words.add(word, 1, comm.rank());
        } else {
            words.set(word, words.get(word) + 1);
        }
    }

    SymmetricMemory memory() {
        return memory;
    }
}
