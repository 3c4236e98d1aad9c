// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.IntegerView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.wait.WaitingRoom;
import java.util.function.IntUnaryOperator;

/// The two 32-bit halves of a lock in symmetric memory, and the queries on them.
///
/// ```
///  byte 0       4
///       │ tail  │ node  │     tail: PE + 1 of the last in the queue, 0 for none; only the home's is used
///
///  node = NEXT, PE + 1 of the successor           bits 0 to 12
///       | flags, see PeLock                       bits 13 to 18
///       | PREVIOUS, PE + 1 of the predecessor     bits 19 to 31; 0 before it is known, and for the first PE
/// ```
final class LockQueue {
    /// Bits of a PE's number + 1: two of them and the flags fill a node.
    private static final int PE_BITS = 13;

    /// The largest world whose PEs a node can name; more than any job has.
    static final int MAX_PES = (1 << PE_BITS) - 1;

    static final int WAITING = 1 << PE_BITS;
    static final int GRANTED = 2 << PE_BITS;
    static final int ABANDONED = 4 << PE_BITS;
    static final int PASSED = 8 << PE_BITS;
    static final int LEAVING = 16 << PE_BITS;
    static final int DONE = 32 << PE_BITS;

    static final int NO_PE = -1;

    private static final long NEXT = MAX_PES;
    private static final int PREVIOUS_SHIFT = Integer.SIZE - PE_BITS;

    private final IntegerView words;
    private final WaitingRoom room;
    private final IntUnaryOperator worldPe;
    private final int me;
    private final int size;
    private final int home;
    private final long tail;
    private final long node;

    /// @param worldPe the world number of each PE of the team that has the memory; all other numbers are the
    ///     team's
    LockQueue(SymmetricMemory memory, long offset, WaitingRoom room, IntUnaryOperator worldPe, int me, int size) {
        assert size <= MAX_PES;
        this.words = memory.ints().unsigned();
        this.room = room;
        this.worldPe = worldPe;
        this.me = me;
        this.size = size;
        this.home = (int) ((HeapOffsets.offsetOf(memory) + offset) / SymmetricLock.BYTES % size);
        this.tail = offset / Integer.BYTES;
        this.node = tail + 1;
    }

    private boolean hasTerminated(int pe) {
        return room.hasTerminated(world(pe));
    }

    /// Returns the world number of a PE.
    int world(int pe) {
        return pe == NO_PE ? NO_PE : worldPe.applyAsInt(pe);
    }

    /// Returns whether a node is free: new, or released by all PEs that used it.
    static boolean isFree(long state) {
        return state == 0 || state == DONE;
    }

    /// Whether a node's PE has the lock, or is handing it on.
    static boolean holds(long state) {
        return (state & (GRANTED | ABANDONED | PASSED)) == GRANTED;
    }

    static int next(long state) {
        return (int) (state & NEXT) - 1;
    }

    static int previous(long state) {
        return (int) (state >>> PREVIOUS_SHIFT) - 1;
    }

    /// Makes this PE the tail; returns the PE that was.
    int becomeLast() {
        return (int) words.swap(tail, me + 1, home) - 1;
    }

    /// Replaces the last; returns whether it was.
    boolean replaceLast(int expected, int pe) {
        return words.compareAndSwap(tail, expected + 1, pe + 1, home) == expected + 1;
    }

    long state(int pe) {
        return words.atomicFetch(node, pe);
    }

    /// Changes my node's state; returns whether it was the expected one.
    boolean change(long expected, long state) {
        return words.compareAndSwap(node, expected, state, me) == expected;
    }

    /// Marks a node; returns its state before.
    long mark(int flag, int pe) {
        return words.fetchOr(node, flag, pe);
    }

    /// Links this PE to its predecessor, both ways; returns the state of the predecessor before.
    long link(int before) {
        words.fetchOr(node, (before + 1L) << PREVIOUS_SHIFT, me);
        return words.fetchOr(node, me + 1, before);
    }

    /// Releases a node before any later operation of this PE: an atomic without a result would not be ordered
    /// before it.
    void release(int pe) {
        words.swap(node, DONE, pe);
    }

    /// Returns the PE that holds the lock, or [#NO_PE]; another PE may hold it meanwhile.
    int holder() {
        int pe = 0;
        while (pe < size && !holds(state(pe))) {
            pe++;
        }
        return pe < size ? pe : NO_PE;
    }

    /// Returns the PE that a turn depends on, if it has failed: from `before` back, the first that has not given
    /// up.
    int failedBefore(int before) {
        int pe = before;
        // Nodes released meanwhile may lead anywhere, even round a cycle; then the caller has its turn already.
        for (int hop = 0; hop < size && pe != NO_PE; hop++) {
            long state = state(pe);
            if ((state & ABANDONED) == 0) {
                return (state & WAITING) != 0 && hasTerminated(pe) ? pe : NO_PE;
            }
            pe = previous(state);
        }
        return NO_PE;
    }

    /// Returns the last PE of the queue that has failed without having given up. It may miss a PE to which a
    /// waiter is just linking itself.
    int failedAnywhere() {
        int pe = (int) words.atomicFetch(tail, home) - 1;
        for (int hop = 0; hop < size && pe != NO_PE; hop++) {
            long state = state(pe);
            if ((state & (WAITING | ABANDONED)) == WAITING && hasTerminated(pe)) {
                return pe;
            }
            pe = holds(state) ? NO_PE : previous(state);
        }
        return NO_PE;
    }

    /// Returns the PE that has swapped itself in after this one and has failed before it linked itself, or before
    /// it took the lock that this PE has left to it.
    int failedAfterMe() {
        for (int pe = 0; pe < size; pe++) {
            if (hasTerminated(pe)) {
                long state = state(pe);
                boolean mayFollowMe = previous(state) == me || previous(state) == NO_PE;
                if (mayFollowMe && (state & (WAITING | GRANTED)) == WAITING) {
                    return pe;
                }
            }
        }
        return NO_PE;
    }
}
