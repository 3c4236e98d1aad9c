// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.Integers;
import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.WaitTimeoutException;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.Places;
import coterie.internal.wait.LostCause;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A queue lock after Mellor-Crummey and Scott (1991): who comes swaps itself in as the queue's tail, links itself to the
/// one before, and polls its own node until that one grants it the lock. Two things are added: nobody waits in
/// `unlock`, and a waiter may give up.
///
/// ```
///  byte 0        4           8           12
///       │ tail   │ holder    │ node      │ broken     tail, holder, broken: used on the home only, PE + 1, 0 for none
///
///  node = NEXT (PE + 1 of the one behind me, 24 bits) and flags:
///
///   0 or DONE ── lock() ──► WAITING ── granted ──► WAITING GRANTED ── unlock() ──► DONE
///                              │                        │ nobody linked yet: PASSED; who links finds it and owns the lock
///                              └─ gave up ─► ABANDONED ─┴ its turn comes: passed over ──► DONE
/// ```
///
/// `holder` is kept by whoever grants, so that it is right whenever somebody waits. Each wait ends if the holder or the
/// one before has failed, and marks the lock broken for those behind.
public final class PeLock implements SymmetricLock, LostCause {
    private static final int NEXT = (1 << 24) - 1;
    private static final int WAITING = 1 << 24;
    private static final int GRANTED = 1 << 25;
    private static final int ABANDONED = 1 << 26;
    private static final int PASSED = 1 << 27;
    private static final int DONE = 1 << 28;

    private static final int NOBODY = -1;

    /// Whoever is before me in the queue: I have been there before.
    private static final int UNKNOWN = -2;

    private final SymmetricMemory memory;
    private final long offset;
    private final PeContext context;
    private final WaitingRoom room;
    private final Integers words;
    private final int me;
    private final int home;
    private final long tail;
    private final long holder;
    private final long node;
    private final long broken;
    private final long nodeAddress;
    private final int size;

    /// Who will grant me the lock.
    private int awaited = NOBODY;

    /// @param offset bytes into the block, checked, a multiple of 8
    /// @param context the world's default one
    /// @param me my number in the world
    public PeLock(SymmetricMemory memory, long offset, PeContext context, WaitingRoom room, int me, int size) {
        this.memory = memory;
        this.offset = offset;
        this.context = context;
        this.room = room;
        this.words = memory.ints();
        this.me = me;
        this.size = size;
        this.home = (int) ((Places.offsetOf(memory) + offset) / BYTES % size);
        this.tail = offset / Integer.BYTES;
        this.holder = tail + 1;
        this.node = tail + 2;
        this.broken = tail + 3;
        this.nodeAddress = memory.segment().address() + offset + 2 * Integer.BYTES;
    }

    @Override
    public void lock() {
        acquire(WaitingRoom.FOREVER);
    }

    @Override
    public void lock(Duration timeout) {
        acquire(WaitingRoom.timeoutNanos("lock", me, timeout));
    }

    @Override
    public boolean tryLock() {
        long state = words.atomicFetch(node, me);
        if ((state & GRANTED) != 0 && (state & (PASSED | ABANDONED)) == 0) {
            throw new IllegalStateException(who("tryLock") + "this PE holds it already");
        }
        boolean free = state == 0 || state == DONE;
        if (!free || words.compareAndSwap(node, state, WAITING | GRANTED, me) != state) {
            return false;
        }
        if (words.compareAndSwap(tail, 0, me + 1, home) == 0) {
            words.atomicSet(holder, me + 1, home);
            return true;
        }
        words.atomicSet(node, DONE, me);
        if (room.hasFailures()) {
            awaited = NOBODY;
            PeFailedException lost = check();
            if (lost != null) {
                throw lost;
            }
        }
        return false;
    }

    @Override
    public void unlock() {
        long state = words.atomicFetch(node, me);
        if ((state & GRANTED) == 0 || (state & (PASSED | ABANDONED)) != 0) {
            throw new IllegalStateException(who("unlock") + "this PE does not hold it; " + heldBy());
        }
        context.complete();
        pass(me);
    }

    private void acquire(long timeoutNanos) {
        if (!enqueueNode(timeoutNanos)) {
            long before = words.swap(tail, me + 1, home);
            if (before == 0 || link((int) before - 1)) {
                words.fetchOr(node, GRANTED, me);
                words.atomicSet(holder, me + 1, home);
                return;
            }
            await(timeoutNanos, (int) before - 1);
        } else {
            await(timeoutNanos, UNKNOWN);
        }
    }

    /// Makes my node wait. Returns whether it is in the queue already, from a time when I gave up.
    private boolean enqueueNode(long timeoutNanos) {
        while (true) {
            long state = words.atomicFetch(node, me);
            if (state == 0 || state == DONE) {
                if (words.compareAndSwap(node, state, WAITING, me) == state) {
                    return false;
                }
            } else if ((state & (PASSED | GRANTED | ABANDONED)) == ABANDONED) {
                if (words.compareAndSwap(node, state, state & ~ABANDONED, me) == state) {
                    return true;
                }
            } else if ((state & (PASSED | ABANDONED)) != 0) {
                // The lock has moved on, and whoever has it now is about to let go of my node.
                awaited = UNKNOWN;
                if (room.awaitBits(nodeAddress, DONE, WaitKind.LOCK, -1, timeoutNanos, this) == 0) {
                    throw late(timeoutNanos);
                }
            } else {
                throw new IllegalStateException(who("lock")
                        + ((state & GRANTED) != 0
                                ? "this PE holds it already"
                                : "another thread of this PE waits for it already"));
            }
        }
    }

    /// Tells the one before me that I am behind it. Returns whether it has let go already, so that the lock is mine.
    private boolean link(int before) {
        long state = words.fetchOr(node, me + 1, before);
        if ((state & PASSED) == 0) {
            return false;
        }
        words.atomicSet(node, DONE, before);
        return true;
    }

    private void await(long timeoutNanos, int before) {
        awaited = before;
        if (room.awaitBits(nodeAddress, GRANTED, WaitKind.LOCK, Math.max(before, -1), timeoutNanos, this) != 0) {
            return;
        }
        long state = words.atomicFetch(node, me);
        while ((state & GRANTED) == 0) {
            long found = words.compareAndSwap(node, state, state | ABANDONED, me);
            if (found == state) {
                throw late(timeoutNanos);
            }
            state = found;
        }
    }

    /// Hands the lock from a PE, whose node nobody else uses any more, to the next one that still wants it.
    private void pass(int from) {
        int pe = from;
        while (true) {
            long next = words.atomicFetch(node, pe) & NEXT;
            if (next == 0) {
                words.atomicSet(holder, 0, home);
                if (words.compareAndSwap(tail, pe + 1, 0, home) == pe + 1) {
                    words.atomicSet(node, DONE, pe);
                    return;
                }
                next = words.fetchOr(node, PASSED, pe) & NEXT;
                if (next == 0) {
                    return;
                }
            }
            words.atomicSet(holder, next, home);
            words.atomicSet(node, DONE, pe);
            pe = (int) next - 1;
            if ((words.fetchOr(node, GRANTED, pe) & ABANDONED) == 0) {
                return;
            }
        }
    }

    /// Whether the lock can't come to me any more, because of a failure.
    @Override
    public @Nullable PeFailedException check() {
        int lost = (int) words.atomicFetch(broken, home) - 1;
        if (lost < 0) {
            lost = failed((int) words.atomicFetch(holder, home) - 1);
        }
        if (lost < 0) {
            lost = awaited == UNKNOWN ? anyQueuedThatFailed() : failed(awaited);
        }
        return lost < 0 ? null : lost(lost);
    }

    /// A failed PE that was in the queue, wherever there.
    private int anyQueuedThatFailed() {
        for (int pe = 0; pe < size; pe++) {
            if (failed(pe) >= 0 && (words.atomicFetch(node, pe) & WAITING) != 0) {
                return pe;
            }
        }
        return NOBODY;
    }

    private int failed(int pe) {
        return pe >= 0 && room.isOver(pe) ? pe : NOBODY;
    }

    private PeFailedException lost(int pe) {
        words.atomicSet(broken, pe + 1, home);
        boolean held = words.atomicFetch(holder, home) == pe + 1;
        return new PeFailedException(
                who("lock") + "PE " + pe + ", which " + (held ? "holds it, " : "was waiting for it, ") + room.fate(pe),
                List.of(pe));
    }

    private WaitTimeoutException late(long timeoutNanos) {
        return new WaitTimeoutException(who("lock") + "not within " + timeoutNanos / 1_000_000 + " ms; " + heldBy());
    }

    private String heldBy() {
        long pe = words.atomicFetch(holder, home) - 1;
        return pe < 0 ? "nobody holds it" : "PE " + pe + " holds it";
    }

    private String who(String operation) {
        return operation + " on PE " + me + ", " + this + ": ";
    }

    @Override
    public String toString() {
        return "lock at offset " + offset + " of " + memory;
    }
}
