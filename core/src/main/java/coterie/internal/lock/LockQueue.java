// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.IntegerView;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.wait.WaitingRoom;

/// A lock's words in symmetric memory, and what can be read from them.
///
/// ```
///  byte 0       8
///       │ tail  │ node  │     tail: PE + 1 of the last in the queue, 0 for none; only the home's is used
///
///  node = NEXT, PE + 1 of the one behind it       bits 0 to 23
///       | flags, see PeLock                       bits 24 to 29
///       | PREVIOUS, PE + 1 of the one before it   bits 32 to 55; 0 before it is known, and for whoever was first
/// ```
final class LockQueue {
    static final int WAITING = 1 << 24;
    static final int GRANTED = 1 << 25;
    static final int ABANDONED = 1 << 26;
    static final int PASSED = 1 << 27;
    static final int LEAVING = 1 << 28;
    static final int DONE = 1 << 29;

    static final int NOBODY = -1;

    private static final long NEXT = (1 << 24) - 1;
    private static final int PREVIOUS_SHIFT = Integer.SIZE;

    private final IntegerView words;
    private final WaitingRoom room;
    private final int me;
    private final int size;
    private final int home;
    private final long tail;
    private final long node;

    LockQueue(SymmetricMemory memory, long offset, WaitingRoom room, int me, int size) {
        this.words = memory.longs();
        this.room = room;
        this.me = me;
        this.size = size;
        this.home = (int) ((HeapOffsets.offsetOf(memory) + offset) / SymmetricLock.BYTES % size);
        this.tail = offset / Long.BYTES;
        this.node = tail + 1;
    }

    /// Whether nobody uses a node: it is new, or all have let go of it.
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

    /// Makes me the last; returns who was.
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

    /// Remembers who is before me, and tells it who is behind it; returns its state before.
    long link(int before) {
        words.fetchOr(node, (before + 1L) << PREVIOUS_SHIFT, me);
        return words.fetchOr(node, me + 1, before);
    }

    /// Lets go of a node, visibly for whatever I do next: an atomic that does not wait for its answer would be in
    /// no order with that.
    void release(int pe) {
        words.swap(node, DONE, pe);
    }

    /// Who holds the lock, or [#NOBODY]; it may be another one by now.
    int holder() {
        int pe = 0;
        while (pe < size && !holds(state(pe))) {
            pe++;
        }
        return pe < size ? pe : NOBODY;
    }

    /// Whom a turn depends on, if that one has failed: from `before` back, the first one that has not given up.
    int failedBefore(int before) {
        int pe = before;
        // Nodes that are let go of meanwhile may lead anywhere, a circle included; but then, who asks has its
        // turn.
        for (int hop = 0; hop < size && pe != NOBODY; hop++) {
            long state = state(pe);
            if ((state & ABANDONED) == 0) {
                return (state & WAITING) != 0 && room.hasTerminated(pe) ? pe : NOBODY;
            }
            pe = previous(state);
        }
        return NOBODY;
    }

    /// The last one of the queue that has failed without having given up; one may be missed that somebody is about
    /// to link itself to.
    int failedAnywhere() {
        int pe = (int) words.atomicFetch(tail, home) - 1;
        for (int hop = 0; hop < size && pe != NOBODY; hop++) {
            long state = state(pe);
            if ((state & (WAITING | ABANDONED)) == WAITING && room.hasTerminated(pe)) {
                return pe;
            }
            pe = holds(state) ? NOBODY : previous(state);
        }
        return NOBODY;
    }

    /// Who has swapped itself in behind me and then failed, before it had linked itself or taken the lock that I
    /// have left to it.
    int failedAfterMe() {
        for (int pe = 0; pe < size; pe++) {
            if (room.hasTerminated(pe)) {
                long state = state(pe);
                boolean mayBeBehindMe = previous(state) == me || previous(state) == NOBODY;
                if (mayBeBehindMe && (state & (WAITING | GRANTED)) == WAITING) {
                    return pe;
                }
            }
        }
        return NOBODY;
    }
}
