// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import static coterie.internal.lock.LockQueue.ABANDONED;
import static coterie.internal.lock.LockQueue.DONE;
import static coterie.internal.lock.LockQueue.GRANTED;
import static coterie.internal.lock.LockQueue.LEAVING;
import static coterie.internal.lock.LockQueue.NO_PE;
import static coterie.internal.lock.LockQueue.PASSED;
import static coterie.internal.lock.LockQueue.WAITING;

import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.WaitTimeoutException;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.FailureCheck;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.time.Duration;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/// A queue lock after Mellor-Crummey and Scott (1991). A waiter swaps itself in as the tail of the queue, links
/// itself to its predecessor, and polls its own node until the predecessor grants it the lock. This lock adds
/// three properties: `unlock` does not wait, a waiter may give up, and waiters whose turn depends on a failed PE
/// throw.
///
/// ```
///  0 or DONE ─ lock ─► WAITING ─ granted ─► GRANTED ─ unlock ─► LEAVING ─ handed on ─► DONE
///                       │   ▲                                      └ no successor is linked yet: PASSED;
///                gave up│   │waits again                             the next to link itself finds that,
///                       ▼   │                                        owns the lock, and sets DONE
///                     ABANDONED ─ its turn comes ─► GRANTED, and passed over ─► DONE, or PASSED as above
/// ```
///
/// Flags stay set until DONE, which replaces them; only ABANDONED is cleared, by a waiter that waits again.
///
/// **Failures.** A waiter's turn depends on the first PE before it in the queue whose node is not abandoned: that
/// PE waits too, or holds the lock. If it has failed, the waiter throws and abandons its own node, so that its
/// successors look further back and find the same PE. For these chains to stay whole, a PE that unlocks leaves its
/// node, and the abandoned ones it skipped, as they are until another PE owns the lock. The failure of a PE that
/// had given up needs no repair.
public final class PeLock implements SymmetricLock, FailureCheck {
    private final PeMemory memory;
    private final long offset;
    private final PeContext context;
    private final WaitingRoom room;
    private final LockQueue queue;
    private final int me;

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
            WaitingRoom room,
            IntUnaryOperator worldPe,
            int me,
            int size) {
        this.memory = memory;
        this.offset = offset;
        this.context = context;
        this.room = room;
        this.queue = new LockQueue(memory, offset, room, worldPe, me, size);
        this.me = me;
        this.nodeAddress = memory.segment().address() + offset + Integer.BYTES;
    }

    @Override
    public void lock() {
        acquire(WaitingRoom.FOREVER);
    }

    @Override
    public void lock(Duration timeout) {
        if (timeout == null) {
            throw new NullPointerException("lock on PE " + queue.world(me) + ": timeout is null");
        }
        acquire(WaitingRoom.timeoutNanos("lock", queue.world(me), timeout));
    }

    @Override
    public boolean tryLock() {
        long state = queue.state(me);
        if (LockQueue.holds(state)) {
            throw new IllegalStateException(messagePrefix("tryLock") + "this PE holds it already");
        }
        if (LockQueue.isFree(state) && queue.change(state, WAITING)) {
            if (queue.replaceLast(NO_PE, me)) {
                queue.mark(GRANTED, me);
                return true;
            }
            queue.release(me);
        }
        if (room.hasFailures()) {
            int failed = queue.failedAnywhere();
            if (failed != NO_PE) {
                throw lost("tryLock", failed);
            }
        }
        return false;
    }

    @Override
    public void unlock() {
        long state = queue.state(me);
        checkHeld(state);
        context.complete();
        while (!queue.change(state, state | LEAVING)) {
            state = queue.state(me);
            checkHeld(state); // another thread may have let go
        }
        room.step(OperationKind.LOCK, 2);
        pass(state);
    }

    /// Returns whether this PE holds the lock.
    public boolean isHeld() {
        long state = queue.state(me);
        return LockQueue.holds(state) && (state & LEAVING) == 0;
    }

    private void checkHeld(long state) {
        if (!LockQueue.holds(state) || (state & LEAVING) != 0) {
            throw new IllegalStateException(messagePrefix("unlock") + "this PE does not hold it; " + heldBy());
        }
    }

    private void acquire(long timeoutNanos) {
        long left = timeoutNanos;
        while (true) {
            long state = queue.state(me);
            if (LockQueue.isFree(state)) {
                if (queue.change(state, WAITING)) {
                    enqueue(left, timeoutNanos);
                    return;
                }
            } else if ((state & (ABANDONED | GRANTED)) == ABANDONED) {
                if (queue.change(state, state & ~ABANDONED)) {
                    await(LockQueue.previous(state), left, timeoutNanos);
                    return;
                }
            } else if ((state & (ABANDONED | PASSED)) != 0) {
                left = awaitRelease(left, timeoutNanos);
            } else {
                throw new IllegalStateException(messagePrefix("lock")
                        + ((state & GRANTED) != 0
                                ? "this PE holds it already"
                                : "another thread of this PE waits for it already"));
            }
        }
    }

    /// Waits until others have let go of my node, from my last time in the queue. Returns what is left of the
    /// time.
    private long awaitRelease(long left, long timeoutNanos) {
        long start = room.nanoTime();
        if (room.awaitBits(nodeAddress, DONE, OperationKind.LOCK, NO_PE, left, this) == 0) {
            throw late(timeoutNanos);
        }
        observed();
        return left == WaitingRoom.FOREVER ? left : Math.max(1, left - (room.nanoTime() - start));
    }

    private void enqueue(long left, long timeoutNanos) {
        int before = queue.becomeLast();
        room.step(OperationKind.LOCK, 0);
        if (before != NO_PE) {
            if ((queue.link(before) & PASSED) == 0) {
                room.step(OperationKind.LOCK, 1);
                await(before, left, timeoutNanos);
                return;
            }
            queue.release(before);
        }
        queue.mark(GRANTED, me);
    }

    private void await(int before, long left, long timeoutNanos) {
        PeFailedException lost = null;
        try {
            if (room.awaitBits(nodeAddress, GRANTED, OperationKind.LOCK, queue.world(before), left, this) != 0) {
                checkNotFreed();
                observed();
                return;
            }
        } catch (PeFailedException e) {
            lost = e;
        }
        long state = queue.state(me);
        while ((state & GRANTED) == 0) {
            if (queue.change(state, state | ABANDONED)) {
                throw lost != null ? lost : late(timeoutNanos);
            }
            state = queue.state(me);
        }
    }

    /// Tells, if anybody wants to know, that my node is as I have waited for it to be.
    private void observed() {
        AccessObserver observer = room.observer();
        if (observer != null) {
            observer.observed(Region.HEAP, HeapOffsets.offsetOf(memory) + offset + Integer.BYTES, Integer.BYTES);
        }
    }

    /// Hands the lock to the next one that still wants it.
    ///
    /// @param mine my node's state
    private void pass(long mine) {
        int pe = me;
        long state = mine;
        while (true) {
            if (LockQueue.next(state) == NO_PE) {
                if (queue.replaceLast(pe, NO_PE)) {
                    break;
                }
                state = queue.mark(PASSED, pe);
                if (LockQueue.next(state) == NO_PE) {
                    room.step(OperationKind.LOCK, 3);
                    if (pe != me) {
                        releaseBackFrom(LockQueue.previous(state));
                    }
                    return;
                }
            }
            int next = LockQueue.next(state);
            state = queue.mark(GRANTED, next);
            if ((state & ABANDONED) == 0) {
                break;
            }
            pe = next;
        }
        room.step(OperationKind.LOCK, 3);
        releaseBackFrom(pe);
    }

    /// Lets go of a node that I have passed over, of those between it and mine, and of mine: the last one first,
    /// because its PE may look back as long as it has not been let go of.
    private void releaseBackFrom(int last) {
        int pe = last;
        while (pe != me) {
            int before = LockQueue.previous(queue.state(pe));
            queue.release(pe);
            pe = before;
        }
        queue.release(me);
    }

    /// Returns why this PE's wait can never end: the PE whose turn is before has failed, or the PE to which this
    /// one has left the lock.
    @Override
    public @Nullable RuntimeException check() {
        if (memory.isFreed()) {
            return freed();
        }
        if (!room.hasFailures()) {
            return null;
        }
        long state = queue.state(me);
        int failed = (state & PASSED) != 0 ? queue.failedAfterMe() : NO_PE;
        if (failed == NO_PE && (state & LEAVING) == 0) {
            failed = queue.failedBefore(LockQueue.previous(state));
        }
        return failed == NO_PE ? null : lost("lock", failed);
    }

    @Override
    public boolean isAlwaysChecked() {
        return true;
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

    private PeFailedException lost(String operation, int pe) {
        String role = (queue.state(pe) & GRANTED) != 0 ? "holds it" : "waits for it";
        int failed = queue.world(pe);
        return new PeFailedException(
                messagePrefix(operation) + "PE " + failed + ", which " + role + ", " + room.terminationCause(failed),
                List.of(failed));
    }

    private WaitTimeoutException late(long timeoutNanos) {
        long millis = timeoutNanos / 1_000_000;
        return new WaitTimeoutException(messagePrefix("lock") + "not within "
                + (millis == 0 ? timeoutNanos + " ns" : millis + " ms") + "; " + heldBy());
    }

    private String heldBy() {
        int holder = queue.holder();
        return holder == NO_PE ? "no PE holds it" : "PE " + queue.world(holder) + " holds it";
    }

    private String messagePrefix(String operation) {
        return operation + " on PE " + queue.world(me) + ", " + this + ": ";
    }

    @Override
    public String toString() {
        return "lock at index " + offset / Long.BYTES + " of " + memory;
    }
}
