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

/// Completes, for PEs that have failed, the steps that they can't do any more.
///
/// One PE repairs at a time. It looks only at nodes of failed PEs, which no failed PE changes, and each of its
/// decisions rests on facts that no living PE can change either:
///
/// | node of the failed PE | what the repairing PE does |
/// |---|---|
/// | WAITING, in the queue | links it, and abandons it; if the lock was left to it, passes the lock on |
/// | WAITING, not in the queue | releases it |
/// | WAITING, GRANTED | passes the lock on: the PE never took it |
/// | GRANTED | records it as failed holder, and passes the lock on as inconsistent |
/// | GRANTED, ABANDONED | completes its `unlock` |
///
/// A node from which the lock is passed on becomes GRANTED, ABANDONED first, and is released last: so, if the
/// repairing PE fails too, the next one finds it and completes the rest.
///
/// **In the queue or not.** A PE stores its predecessor in its node before it replaces the tail, so a predecessor
/// is a guess as long as the PE may not be in the queue. A failed PE is in the queue if it is the tail, or has a
/// linked successor, or a failed PE of the queue names it. It is not if no node names it, since a successor names
/// it before it replaces it as tail, and until it has linked itself. If a living PE names it, that PE links itself
/// or withdraws its guess soon, and the repair continues then.
final class LockRepair {
    /// A living PE is about to link itself, or to withdraw its guess.
    private static final int UNDECIDED = -2;

    private final LockQueue queue;
    private final LockMembers members;

    LockRepair(LockQueue queue, LockMembers members) {
        this.queue = queue;
        this.members = members;
    }

    /// Does what is possible now, and returns whether it has changed the queue. Does not wait for any PE.
    boolean run() {
        if (!isNeeded() || !queue.beginRepair()) {
            return false;
        }
        boolean hasChanged = false;
        try {
            while (repairAll()) {
                hasChanged = true;
            }
        } finally {
            queue.endRepair();
        }
        return hasChanged;
    }

    private boolean isNeeded() {
        for (int pe = 0; pe < members.size(); pe++) {
            if (members.hasTerminated(pe) && isOpen(queue.state(pe))) {
                return true;
            }
        }
        return false;
    }

    private boolean repairAll() {
        boolean hasChanged = false;
        for (int pe = 0; pe < members.size(); pe++) {
            hasChanged |= members.hasTerminated(pe) && repair(pe);
        }
        return hasChanged;
    }

    /// Returns whether a failed PE's node needs a repair. It does not if it is abandoned and linked, or passed
    /// over, or left to a successor: then living PEs, or the repair of other nodes, do the rest.
    private static boolean isOpen(long state) {
        return !LockQueue.isFree(state)
                && (state & PASSED) == 0
                && LockQueue.flags(state, WAITING | ABANDONED) != (WAITING | ABANDONED);
    }

    private boolean repair(int pe) {
        long state = queue.state(pe);
        if (!isOpen(state)) {
            return false;
        }
        if (LockQueue.flags(state, WAITING | GRANTED) == WAITING) {
            return repairWaiting(pe, state);
        }
        if (LockQueue.holds(state)) {
            queue.recordHolder(pe);
        }
        return (state & ABANDONED) != 0 ? completeUnlock(pe) : passFrom(pe, state);
    }

    /// Repairs the node of a PE that has failed between its first step and the grant of the lock.
    private boolean repairWaiting(int pe, long state) {
        int successor = last(pe);
        if (successor == UNDECIDED) {
            return false;
        }
        if (successor == NO_PE) {
            // A PE that was in the queue, and is not any more, has been granted the lock.
            queue.change(pe, state, DONE);
            return true;
        }
        int before = LockQueue.previous(state);
        if (before == NO_PE) {
            return passFrom(pe, state);
        }
        long stateBefore = queue.state(before);
        // The predecessor's node was not released as long as the lock was not granted to its successor.
        if (LockQueue.flags(queue.state(pe), WAITING | GRANTED) != WAITING) {
            return true;
        }
        if (LockQueue.next(stateBefore) != pe) {
            stateBefore = queue.link(before, pe);
        }
        return (stateBefore & PASSED) != 0
                ? passFrom(pe, queue.state(pe))
                : queue.change(pe, state, state | ABANDONED) || isOpen(queue.state(pe));
    }

    /// Passes the lock on from a failed PE that has it, in whatever state.
    private boolean passFrom(int pe, long state) {
        long found = state;
        while (!queue.change(pe, found, (found & ~(WAITING | INCONSISTENT)) | GRANTED | ABANDONED)) {
            found = queue.state(pe); // a successor has linked itself
        }
        completeUnlock(pe);
        return true;
    }

    /// Completes an `unlock` that the failed PE, or a failed PE that repaired its node, may have begun.
    private boolean completeUnlock(int first) {
        int flags = queue.failedHolder() == NO_PE ? 0 : INCONSISTENT;
        int pe = first;
        long state = queue.state(first);
        while ((state & PASSED) == 0) {
            int next = LockQueue.next(state);
            if (next == NO_PE) {
                if (queue.exchangeLast(pe, flags == 0 ? NO_PE : UNRECOVERED) == pe) {
                    break;
                }
                next = successor(pe);
                if (next == UNDECIDED) {
                    return false;
                }
                if (next == NO_PE) {
                    break; // the failed PE had made the queue empty
                }
                if (LockQueue.next(queue.state(pe)) == NO_PE) {
                    queue.link(pe, next);
                }
            }
            long after = queue.state(next);
            if (LockQueue.isFree(after) || LockQueue.previous(after) != pe) {
                break; // the lock has gone further
            }
            if ((after & GRANTED) == 0) {
                after = queue.grant(next, flags);
            }
            if (LockQueue.flags(after, WAITING | ABANDONED) != (WAITING | ABANDONED)) {
                break;
            }
            pe = next;
            state = after;
        }
        release(first, pe, state);
        return true;
    }

    /// Releases the nodes of a completed `unlock`, and its predecessor's, if that node was left to its PE when it
    /// linked itself.
    ///
    /// @param last the last PE that was passed over, or the first
    /// @param state its state; if it is left to its successor, the successor may have released it meanwhile
    private void release(int first, int last, long state) {
        int before = LockQueue.previous(queue.state(first));
        if (before != NO_PE) {
            long stateBefore = queue.state(before);
            if ((stateBefore & PASSED) != 0 && LockQueue.next(stateBefore) == first) {
                queue.release(before);
            }
        }
        queue.releaseBack((state & PASSED) == 0 ? last : LockQueue.previous(state), first);
    }

    /// Returns the PE itself if it is the last of the queue, or its successor in the queue, or [#UNDECIDED], or
    /// [LockQueue#NO_PE] if neither exists.
    private int last(int pe) {
        return queue.last() == pe ? pe : successor(pe);
    }

    /// Returns the successor of a PE that is not the last of the queue: linked, or failed without having linked
    /// itself.
    private int successor(int pe) {
        boolean isUndecided = false;
        for (int other = 0; other < members.size(); other++) {
            long state = queue.state(other);
            if (LockQueue.previous(state) == pe && LockQueue.flags(state, WAITING | GRANTED) == WAITING) {
                int last = members.hasTerminated(other) ? last(other) : UNDECIDED;
                if (last >= 0) {
                    return other;
                }
                isUndecided |= last == UNDECIDED;
            }
        }
        int linked = LockQueue.next(queue.state(pe));
        return linked != NO_PE || !isUndecided ? linked : UNDECIDED;
    }
}
