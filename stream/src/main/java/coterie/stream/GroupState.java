// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What the threads of a group share: a barrier, and a stream for the operations that they call together, of which
/// one thread runs each. A thread that has returned no longer counts.
final class GroupState {
    /// What a barrier can count.
    static final int MOST_THREADS = 65_535;

    private static final int NO_PHASE = -1;

    private final KernelRun run;
    private final int size;
    private final Phaser barrier;

    /// The phase whose operation a thread has taken.
    private final AtomicInteger taken = new AtomicInteger(NO_PHASE);

    /// For a result of 8 bytes; a thread reads it before it comes to the next operation.
    private final MemorySegment word = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);

    /// How many elements the threads have shared out, of all calls together.
    private final AtomicLong shared = new AtomicLong();

    // The lock guards them for writers.
    private volatile @Nullable WorkStream operations;
    private boolean isTerminated;

    // The barrier orders them.
    private @Nullable Throwable failure;
    private @Nullable GroupCheck checked;
    private int broadcastPhase = NO_PHASE;

    GroupState(KernelRun run, int size) {
        this.run = run;
        this.size = size;
        this.barrier = new Phaser(size);
    }

    int size() {
        return size;
    }

    /// Waits for all threads of the group, and returns the number of the meeting.
    int meet() {
        run.beginWait();
        int phase = barrier.arriveAndAwaitAdvance();
        run.endWait();
        if (phase < 0) {
            throw run.ended();
        }
        return phase;
    }

    /// A thread returns from the kernel.
    void leave() {
        barrier.arriveAndDeregister();
    }

    /// Ends all waits of the group, whose kernel has failed.
    void terminate(Throwable cause) {
        barrier.forceTermination();
        synchronized (this) {
            isTerminated = true;
            if (operations != null) {
                operations.lane.cancel(cause);
            }
        }
    }

    /// All threads have returned.
    synchronized void close() {
        if (operations != null) {
            run.device().giveBack(operations);
            operations = null;
        }
    }

    private synchronized WorkStream operations() {
        if (isTerminated) {
            throw run.ended();
        }
        if (operations == null) {
            operations = run.device().lease();
        }
        return operations;
    }

    MemorySegment word() {
        return word;
    }

    /// Returns the lane of the group's operations.
    StreamLane lane() {
        WorkStream known = operations;
        return known == null ? operations().lane : known.lane;
    }

    /// Returns the latest look of the group.
    GroupCheck check() {
        return requireNonNull(checked);
    }

    /// Fails the kernel.
    void fail(Throwable cause) {
        run.fail(cause);
    }

    /// Runs an operation once, after all threads have come; all go on after it.
    ///
    /// @param mine the caller's draft, which has the arguments of those of the other threads
    void perform(StreamOperation mine) {
        once(() -> performHere(mine));
    }

    /// Runs an action once, after all threads have come; all go on after it.
    void once(Runnable action) {
        if (size == 1) {
            action.run();
            return;
        }
        int phase = meet();
        int before = taken.get();
        if (before != phase && taken.compareAndSet(before, phase)) {
            try {
                action.run();
            } catch (RuntimeException | Error e) {
                failure = e;
                run.fail(e);
            }
        }
        meet();
        if (failure != null) {
            throw run.ended();
        }
    }

    /// Puts a value of one thread into the word, once all threads have come; returns whether that thread is among them.
    ///
    /// @param mine the caller's number
    /// @param root the number of the thread that has the value
    boolean broadcast(long value, int mine, int root) {
        if (size == 1) {
            word.set(ValueLayout.JAVA_LONG, 0, value);
            return mine == root;
        }
        int phase = meet();
        if (mine == root) {
            word.set(ValueLayout.JAVA_LONG, 0, value);
            broadcastPhase = phase;
        }
        meet();
        return broadcastPhase == phase;
    }

    /// Waits for all threads, which then share elements out among them; returns where the call begins. No thread has a
    /// share between the end of one call and the begin of the next, so all read the same number before they meet.
    long beginShares() {
        long base = shared.get();
        if (size > 1) {
            meet();
        }
        return base;
    }

    /// Returns the first element of the caller's next share.
    long share(long base, long elements) {
        return shared.getAndAdd(elements) - base;
    }

    /// Calls a step until it returns true. The thread counts as one that runs code of the program: nothing tells when
    /// a step ends by itself, at a deadline for example.
    void poll(BooleanSupplier step) {
        while (!step.getAsBoolean()) {
            run.checkAlive();
        }
    }

    private void performHere(StreamOperation draft) {
        WorkStream stream = operations();
        if (draft.object instanceof GroupCheck check) {
            checked = check;
        }
        stream.lane.take(draft);
        if (!draft.type.isNonBlocking()) {
            run.beginWait();
            try {
                stream.lane.park(stream.lane.position());
            } finally {
                run.endWait();
            }
        }
    }
}
