// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.lock.LockQueue.ABANDONED;
import static coterie.internal.lock.LockQueue.DONE;
import static coterie.internal.lock.LockQueue.GRANTED;
import static coterie.internal.lock.LockQueue.INCONSISTENT;
import static coterie.internal.lock.LockQueue.NO_PE;
import static coterie.internal.lock.LockQueue.PASSED;
import static coterie.internal.lock.LockQueue.UNRECOVERED;
import static coterie.internal.lock.LockQueue.WAITING;

import coterie.Comparison;
import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.WaitTimeoutException;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.AlwaysChecked;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A queue lock after Mellor-Crummey and Scott (1991). A waiter makes itself the tail of the queue, links
/// itself to its predecessor, and polls its own node until the predecessor grants it the lock. This lock adds
/// three properties: `unlock` does not wait, a waiter may give up, and the lock outlives PEs that fail.
///
/// ```
///  0 or DONE ─ lock ─► WAITING ─ granted ─► WAITING, GRANTED ─ taken ─► GRANTED
///                       │   ▲                                            │ unlock
///                gave up│   │waits again                                 ▼
///                       ▼   │                                GRANTED, ABANDONED ─ passed on ─► DONE
///               WAITING, ABANDONED                                       │ no successor is linked yet
///                       │ its turn comes                                 ▼
///                       ▼                                     GRANTED, ABANDONED, PASSED: the successor
///            WAITING, GRANTED, ABANDONED ─ passed over ─► DONE, or PASSED    that links itself finds that,
///                                                                        owns the lock, and sets DONE
/// ```
///
/// INCONSISTENT beside GRANTED or PASSED says that a holder has failed and no PE has recovered from it. DONE
/// replaces all flags and numbers.
///
/// **Failures.** A waiter that learns of a failure repairs the queue, see [LockRepair]: it completes the steps
/// of failed PEs, so that a failed waiter counts as one that has given up, and a failed holder as one that has
/// unlocked, except that its number is recorded and its successors find the lock inconsistent. The repair relies
/// on four rules. A node names its predecessor before it is in the queue. A node is released only after its
/// successor has been granted the lock. A PE clears WAITING as it takes the lock, so that a failed waiter
/// differs from a failed holder. PASSED is set only where no successor is linked.
public final class PeLock implements SymmetricLock, AlwaysChecked {
    private final PeMemory memory;
    private final long offset;
    private final PeContext context;
    private final PeRuntime runtime;
    private final WaitingRoom room;
    private final LockMembers members;
    private final LockQueue queue;
    private final LockRepair repair;
    private final int me;

    /// Whether this PE holds the lock, or waits for it.
    private final AtomicBoolean held;

    /// The address of my node, which a waiter polls.
    private final long nodeAddress;

    /// @param offset bytes into the block, checked, a multiple of 8
    /// @param context the world's default one
    /// @param worldPe the world number of each PE of the team that has the memory
    /// @param me this PE's number in the team
    /// @param size of the team
    public PeLock(
            PeMemory memory,
            long offset,
            PeContext context,
            PeRuntime runtime,
            IntUnaryOperator worldPe,
            int me,
            int size) {
        this.memory = memory;
        this.offset = offset;
        this.context = context;
        this.runtime = runtime;
        this.room = runtime.room();
        this.members = new LockMembers(runtime, worldPe, me, size);
        this.queue = new LockQueue(
                memory.ints().unsigned(), HeapOffsets.offsetOf(memory) + offset, offset / Integer.BYTES, members);
        this.repair = new LockRepair(queue, members);
        this.held = memory.lockHeld(offset);
        this.me = me;
        this.nodeAddress = memory.segment().address() + offset + Integer.BYTES;
    }

    @Override
    public void lock() {
        enter("lock");
        acquire(WaitingRoom.FOREVER, HolderFailure.REFUSE);
    }

    @Override
    public void lock(Duration timeout) {
        enter("lock");
        acquire(timeoutNanos("lock", timeout), HolderFailure.REFUSE);
    }

    @Override
    public OptionalInt lockOrRecover() {
        enter("lockOrRecover");
        return failedHolder(acquire(WaitingRoom.FOREVER, HolderFailure.RECOVER));
    }

    @Override
    public OptionalInt lockOrRecover(Duration timeout) {
        enter("lockOrRecover");
        return failedHolder(acquire(timeoutNanos("lockOrRecover", timeout), HolderFailure.RECOVER));
    }

    /// Refuses a call after the end of the world or of the memory, and one of a thread that may not use them.
    private void enter(String operation) {
        context.enter(operation);
        if (memory.isFreed()) {
            throw new IllegalStateException(messagePrefix(operation) + "the memory was freed");
        }
    }

    private OptionalInt failedHolder(int number) {
        return number == NO_PE ? OptionalInt.empty() : OptionalInt.of(members.worldPe(number));
    }

    private long timeoutNanos(String operation, Duration timeout) {
        if (timeout == null) {
            throw new NullPointerException(operation + " on PE " + members.worldPe(me) + ": timeout is null");
        }
        return WaitingRoom.timeoutNanos(operation, members.worldPe(me), timeout);
    }

    @Override
    public boolean tryLock() {
        enter("tryLock");
        int last = NO_PE;
        do {
            long state = queue.state(me);
            if (LockQueue.holds(state)) {
                throw new IllegalStateException(messagePrefix("tryLock") + "this PE holds it already");
            }
            if (LockQueue.isFree(state) && queue.change(me, state, WAITING)) {
                last = queue.exchangeLast(NO_PE, me);
                if (last == NO_PE) {
                    queue.replaceMine(WAITING, GRANTED);
                    held.setRelease(true);
                    return true;
                }
                queue.release(me);
            }
        } while (runtime.hasFailures() && repair.run());
        if (last == UNRECOVERED || runtime.hasFailures()) {
            checkConsistent("tryLock");
        }
        return false;
    }

    /// Refuses a lock whose holder has failed, as long as no PE has recovered from that. Others may be in the queue.
    private void checkConsistent(String operation) {
        int failed = queue.failedHolder();
        if (failed != NO_PE) {
            throw refused(operation, failed);
        }
    }

    @Override
    public void unlock() {
        enter("unlock");
        long began = Tracing.begin(runtime.counters().tracer);
        long state = queue.state(me);
        checkHeld(state);
        context.complete();
        while (!queue.change(me, state, state | ABANDONED)) {
            state = queue.state(me);
            checkHeld(state); // another thread may have released the lock
        }
        held.setRelease(false); // before another thread of this PE can be granted the lock
        runtime.step(OperationKind.LOCK, 2);
        pass(state | ABANDONED, 0);
        if (Tracing.ON) {
            runtime.counters()
                    .tracer
                    .end(began, EventKind.LOCK, "unlock", -1, place(), Integer.BYTES, 0, TraceLayout.UNLOCKS, 0);
        }
    }

    private void checkHeld(long state) {
        if (!LockQueue.holds(state)) {
            held.setRelease(false); // also if the program has written to the lock's words
            throw new IllegalStateException(messagePrefix("unlock") + "this PE does not hold it; " + heldBy());
        }
    }

    private int acquire(long timeoutNanos, HolderFailure policy) {
        PeTracer tracer = runtime.counters().tracer;
        if (Tracing.ON) {
            tracer.enter(EventKind.LOCK, "lock", -1, place(), Integer.BYTES, Comparison.EQ, 0);
        }
        boolean isFirst = held.compareAndSet(false, true); // so that the block is not closed under its queue
        boolean isMine = false;
        try {
            int failed = enqueue(timeoutNanos, policy);
            held.setRelease(true); // another thread of this PE may have released the lock meanwhile
            isMine = true;
            return failed;
        } finally {
            if (isFirst && !isMine) {
                held.setRelease(false);
            }
            if (Tracing.ON) {
                tracer.leave(0, 0);
            }
        }
    }

    private long place() {
        return HeapOffsets.offsetOf(memory) + offset;
    }

    /// Returns the failed holder from which the caller has to recover, or [LockQueue#NO_PE].
    private int enqueue(long timeoutNanos, HolderFailure policy) {
        long left = timeoutNanos;
        while (true) {
            long state = queue.state(me);
            if (LockQueue.isFree(state)) {
                if (queue.change(me, state, WAITING)) {
                    int before = queue.append(policy);
                    runtime.step(OperationKind.LOCK, 0);
                    if (before == NO_PE) {
                        queue.replaceMine(WAITING, GRANTED);
                        return NO_PE;
                    }
                    if (before != UNRECOVERED) {
                        return follow(before, left, timeoutNanos, policy);
                    }
                    if (policy == HolderFailure.RECOVER) {
                        queue.replaceMine(WAITING, GRANTED);
                        return queue.takeFailedHolder();
                    }
                    queue.release(me);
                    checkConsistent("lock");
                }
            } else if ((state & (ABANDONED | GRANTED)) == ABANDONED) {
                if (queue.change(me, state, state & ~ABANDONED)) {
                    return await(LockQueue.previous(state), left, timeoutNanos, policy);
                }
            } else if ((state & ABANDONED) != 0) {
                left = awaitRelease(left, timeoutNanos);
            } else {
                throw new IllegalStateException(messagePrefix("lock")
                        + (LockQueue.holds(state)
                                ? "this PE holds it already"
                                : "another thread of this PE waits for it already"));
            }
        }
    }

    /// Waits until other PEs have released my node, from my last time in the queue. Returns what is left of the
    /// time.
    private long awaitRelease(long left, long timeoutNanos) {
        long start = room.nanoTime();
        if (room.awaitBits(nodeAddress, DONE, OperationKind.LOCK, NO_PE, left, this) == 0) {
            throw late(timeoutNanos);
        }
        observed();
        return left == WaitingRoom.FOREVER ? left : Math.max(1, left - (room.nanoTime() - start));
    }

    /// Links this PE to its predecessor, and waits unless the predecessor has left the lock to it.
    private int follow(int before, long left, long timeoutNanos, HolderFailure policy) {
        long state = queue.link(before, me);
        if ((state & PASSED) == 0) {
            runtime.step(OperationKind.LOCK, 1);
            return await(before, left, timeoutNanos, policy);
        }
        boolean isRefused = (state & INCONSISTENT) != 0 && policy == HolderFailure.REFUSE;
        queue.replaceMine(WAITING, isRefused ? GRANTED | ABANDONED : GRANTED);
        queue.release(before);
        if (isRefused) {
            throw refuse();
        }
        return (state & INCONSISTENT) == 0 ? NO_PE : queue.takeFailedHolder();
    }

    private int await(int before, long left, long timeoutNanos, HolderFailure policy) {
        PeFailedException unreachable = null;
        long state = 0;
        try {
            state = room.awaitBits(nodeAddress, GRANTED, OperationKind.LOCK, members.worldPe(before), left, this);
            if (state != 0) {
                checkNotFreed();
                observed();
            }
        } catch (PeFailedException e) {
            unreachable = e;
        }
        while ((state & GRANTED) == 0) {
            state = queue.state(me);
            if ((state & GRANTED) == 0 && queue.change(me, state, state | ABANDONED)) {
                throw unreachable != null ? unreachable : late(timeoutNanos);
            }
        }
        return take(state, policy);
    }

    /// Takes the lock that was granted to this PE, or refuses it.
    private int take(long state, HolderFailure policy) {
        if ((state & INCONSISTENT) == 0) {
            queue.replaceMine(WAITING, 0);
            return NO_PE;
        }
        if (policy == HolderFailure.REFUSE) {
            queue.replaceMine(WAITING, ABANDONED);
            throw refuse();
        }
        queue.replaceMine(WAITING | INCONSISTENT, 0);
        return queue.takeFailedHolder();
    }

    /// Passes the inconsistent lock on, and returns the exception for the caller.
    private PeFailedException refuse() {
        PeFailedException refused = refused("lock", queue.failedHolder());
        pass(queue.state(me), INCONSISTENT);
        return refused;
    }

    /// Tells an observer, if there is one, that my node is as I have waited for it to be.
    private void observed() {
        AccessObserver observer = runtime.observer();
        if (observer != null) {
            observer.observed(Region.HEAP, HeapOffsets.offsetOf(memory) + offset + Integer.BYTES, Integer.BYTES);
        }
    }

    /// Passes the lock on to the next PE that still wants it.
    ///
    /// @param mine my node's state
    /// @param flags INCONSISTENT or 0
    private void pass(long mine, int flags) {
        int pe = me;
        long state = mine;
        while (true) {
            int next = LockQueue.next(state);
            if (next == NO_PE) {
                if (queue.exchangeLast(pe, flags == 0 ? NO_PE : UNRECOVERED) == pe) {
                    break;
                }
                if (queue.change(pe, state, state | PASSED | flags)) {
                    runtime.step(OperationKind.LOCK, 3);
                    if (pe != me) {
                        queue.releaseBack(LockQueue.previous(state), me);
                    }
                    return;
                }
                state = queue.state(pe); // a successor has linked itself
            } else {
                state = queue.grant(next, flags);
                if ((state & ABANDONED) == 0) {
                    break;
                }
                pe = next;
            }
        }
        runtime.step(OperationKind.LOCK, 3);
        queue.releaseBack(pe, me);
    }

    /// Repairs the queue after failures, so that this PE's wait can end.
    @Override
    public @Nullable RuntimeException check() {
        if (memory.isFreed()) {
            return freed();
        }
        if (runtime.hasFailures()) {
            repair.run();
        }
        return null;
    }

    private void checkNotFreed() {
        if (memory.isFreed()) {
            throw freed();
        }
    }

    private IllegalStateException freed() {
        return new IllegalStateException(
                messagePrefix("lock") + "the memory was freed, or its world closed, during the wait");
    }

    private PeFailedException refused(String operation, int failed) {
        int pe = members.worldPe(failed);
        return new PeFailedException(
                messagePrefix(operation) + "PE " + pe + ", which held it, " + members.terminationCause(failed)
                        + "; lockOrRecover acquires it and returns this number",
                List.of(pe));
    }

    private WaitTimeoutException late(long timeoutNanos) {
        long millis = timeoutNanos / 1_000_000;
        return new WaitTimeoutException(messagePrefix("lock") + "not within "
                + (millis == 0 ? timeoutNanos + " ns" : millis + " ms") + "; " + heldBy());
    }

    private String heldBy() {
        int holder = queue.holder();
        return holder == NO_PE ? "no PE holds it" : "PE " + members.worldPe(holder) + " holds it";
    }

    private String messagePrefix(String operation) {
        return operation + " on PE " + members.worldPe(me) + ", " + this + ": ";
    }

    @Override
    public String toString() {
        return "lock at index " + offset / Long.BYTES + " of " + memory;
    }
}
