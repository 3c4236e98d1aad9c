// SPDX-License-Identifier: Apache-2.0
package coterie.internal.lock;

import coterie.IntegerView;
import coterie.SymmetricLock;

/// The two 32-bit halves of a lock in symmetric memory, and the atomics on them.
///
/// ```
///  byte 0       4
///       │ tail  │ node  │
///
///  tail, on the home:           PE + 1 of the last in the queue, 0 for none, or UNRECOVERED for none after a
///                               holder has failed
///  tail, on the PE after it:    the record of failures: the failed holder + 1   bits 6 to 18
///                               and the PE + 1 that repairs the queue           bits 19 to 31
///
///  node = NEXT, PE + 1 of the successor           bits 0 to 12
///       | flags, see PeLock                       bits 13 to 18
///       | PREVIOUS, PE + 1 of the predecessor     bits 19 to 31; 0 for the first PE
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
    static final int INCONSISTENT = 16 << PE_BITS;
    static final int DONE = 32 << PE_BITS;

    static final int NO_PE = -1;

    /// Instead of the last PE: the queue is empty, and no PE has recovered from the failure of a holder.
    static final int UNRECOVERED = MAX_PES;

    private static final long NEXT = MAX_PES;
    private static final int PREVIOUS_SHIFT = Integer.SIZE - PE_BITS;
    private static final int HOLDER_SHIFT = PREVIOUS_SHIFT - PE_BITS;
    private static final long HOLDER = NEXT << HOLDER_SHIFT;

    private final IntegerView words;
    private final LockMembers members;
    private final int me;
    private final int home;
    private final int record;
    private final long tail;
    private final long node;

    /// @param words the block's 32-bit words, unsigned
    /// @param heapOffset of the lock in bytes, which decides the home
    /// @param index of the lock's first half in `words`
    LockQueue(IntegerView words, long heapOffset, long index, LockMembers members) {
        assert members.size() <= MAX_PES;
        this.words = words;
        this.members = members;
        this.me = members.me();
        this.home = (int) (heapOffset / SymmetricLock.BYTES % members.size());
        this.record = (home + 1) % members.size();
        this.tail = index;
        this.node = index + 1;
    }

    /// Returns whether a node is free: new, or released by all PEs that used it.
    static boolean isFree(long state) {
        return state == 0 || state == DONE;
    }

    /// Returns whether a node's PE has acquired the lock, and does not release it yet.
    static boolean holds(long state) {
        return flags(state, WAITING | GRANTED | ABANDONED) == GRANTED;
    }

    static long flags(long state, int mask) {
        return state & mask;
    }

    static int next(long state) {
        return (int) (state & NEXT) - 1;
    }

    static int previous(long state) {
        return (int) (state >>> PREVIOUS_SHIFT) - 1;
    }

    /// Makes this PE the last, whose node is WAITING alone. Its node names its predecessor before it is in the
    /// queue, so that the order of the queue outlives any PE.
    ///
    /// @param policy REFUSE leaves the queue as it is after an unrecovered failure
    /// @return the last before: a PE, [#NO_PE] or [#UNRECOVERED]
    int append(HolderFailure policy) {
        int expected = NO_PE;
        int found = exchangeLast(NO_PE, me);
        while (found != expected && (found != UNRECOVERED || policy == HolderFailure.RECOVER)) {
            expected = found;
            long before = expected == UNRECOVERED ? 0 : expected + 1L;
            words.getAndSet(node, (before << PREVIOUS_SHIFT) | WAITING, me);
            found = exchangeLast(expected, me);
        }
        return found;
    }

    /// Replaces the last if it is the expected one; returns which it was.
    int exchangeLast(int expected, int pe) {
        return (int) words.compareAndExchange(tail, expected + 1, pe + 1, home) - 1;
    }

    /// Returns the last PE, [#NO_PE] or [#UNRECOVERED].
    int last() {
        return (int) words.getAcquire(tail, home) - 1;
    }

    long state(int pe) {
        return words.getAcquire(node, pe);
    }

    /// Changes a node's state; returns whether it was the expected one.
    boolean change(int pe, long expected, long state) {
        return words.compareAndExchange(node, expected, state, pe) == expected;
    }

    /// Replaces flags of my node, of which the first all are set, and the second, others, are not.
    void replaceMine(int set, int unset) {
        words.getAndAdd(node, unset - set, me);
    }

    /// Links a PE as the successor of its predecessor; returns the state of the predecessor before.
    long link(int before, int pe) {
        return words.getAndBitwiseOr(node, pe + 1, before);
    }

    /// Grants a PE the lock; returns its state, with ABANDONED if it does not want the lock, or will never act.
    ///
    /// @param flags INCONSISTENT or 0
    long grant(int pe, int flags) {
        long marks = GRANTED | flags | (members.hasTerminated(pe) ? ABANDONED : 0);
        return words.getAndBitwiseOr(node, marks, pe) | marks;
    }

    /// Releases a node before any later operation of this PE: an atomic without a result would not be ordered
    /// before it.
    void release(int pe) {
        words.getAndSet(node, DONE, pe);
    }

    /// Releases a node that was passed over, those between it and the first one's, and the first one's: the last
    /// one first, so that the nodes that are left form a chain from the first one on.
    void releaseBack(int last, int first) {
        int pe = last;
        while (pe != first) {
            int before = previous(state(pe));
            release(pe);
            pe = before;
        }
        release(first);
    }

    /// Returns the PE that holds the lock, or [#NO_PE]; another PE may hold it meanwhile.
    int holder() {
        int pe = 0;
        while (pe < members.size() && !holds(state(pe))) {
            pe++;
        }
        return pe < members.size() ? pe : NO_PE;
    }

    /// Returns the PE that has failed as holder and from which no PE has recovered, or [#NO_PE].
    int failedHolder() {
        return holderIn(words.getAcquire(tail, record));
    }

    /// Records the failure of a holder, unless an earlier one is recorded. The caller repairs the queue.
    void recordHolder(int pe) {
        if (failedHolder() == NO_PE) {
            words.getAndBitwiseOr(tail, (pe + 1L) << HOLDER_SHIFT, record);
        }
    }

    /// Takes the record of a failed holder; returns its number.
    int takeFailedHolder() {
        return holderIn(words.getAndBitwiseAnd(tail, ~HOLDER, record));
    }

    private static int holderIn(long record) {
        return (int) ((record & HOLDER) >>> HOLDER_SHIFT) - 1;
    }

    /// Makes this PE the only one that repairs the queue, unless a PE that lives does; returns whether it is.
    boolean beginRepair() {
        while (true) {
            long found = words.getAcquire(tail, record);
            int repairing = previous(found);
            if (repairing != NO_PE && !members.hasTerminated(repairing)) {
                return false;
            }
            long mine = (found & HOLDER) | ((me + 1L) << PREVIOUS_SHIFT);
            if (words.compareAndExchange(tail, found, mine, record) == found) {
                return true;
            }
        }
    }

    void endRepair() {
        words.getAndBitwiseAnd(tail, HOLDER, record);
    }
}
