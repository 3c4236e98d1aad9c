// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.tcp.TcpOperation.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of an engine, and the tickets for them. The pool grows to the most that were ever under way, and
/// allocates nothing from then on. The engine's lock guards it, but for [#isDone].
///
/// ```
///  ticket   63 ────────── 20 │ 19 ────── 0
///           generation       │ index + 1
/// ```
final class TcpTickets {
    /// The ticket of an operation that never completes: a fetch from a PE that has ended.
    static final long NEVER = Long.MAX_VALUE;

    private static final int INDEX_BITS = 20;
    private static final int GROWTH = 64;

    private final List<TcpOperation> free = new ArrayList<>();
    private volatile TcpOperation[] all = new TcpOperation[0];

    TcpOperation acquire(Kind kind) {
        if (free.isEmpty()) {
            grow();
        }
        TcpOperation operation = free.removeLast();
        operation.kind = kind;
        return operation;
    }

    /// Ends an operation: its ticket is done, and the object serves others. A quiet of several peers ends with the
    /// last of its parts. An operation that is never released has a ticket that is never done.
    void release(TcpOperation operation) {
        TcpOperation parent = operation.parent;
        operation.endUse();
        free.add(operation);
        if (parent != null) {
            countDown(parent);
        }
    }

    /// Takes note that a part of a QUIET is complete, or that a slice of a PUT has left.
    void countDown(TcpOperation whole) {
        whole.waits--;
        if (whole.waits == 0) {
            release(whole);
        }
    }

    private void grow() {
        TcpOperation[] more = Arrays.copyOf(all, all.length + GROWTH);
        if (more.length >= 1 << INDEX_BITS) {
            throw new IllegalStateException(more.length + " operations of one PE are under way");
        }
        for (int index = all.length; index < more.length; index++) {
            more[index] = new TcpOperation(index);
            free.add(more[index]);
        }
        all = more;
    }

    static long ticket(TcpOperation operation) {
        return operation.generation() << INDEX_BITS | operation.index + 1;
    }

    /// Returns whether the operation of a ticket has ended. Any thread may call it without the lock.
    boolean isDone(long ticket) {
        return ticket == 0 || (ticket != NEVER && find(ticket) == null);
    }

    private @Nullable TcpOperation find(long ticket) {
        int index = (int) (ticket & (1 << INDEX_BITS) - 1) - 1;
        TcpOperation[] known = all;
        if (index < 0 || index >= known.length) {
            return null;
        }
        return known[index].generation() == ticket >>> INDEX_BITS ? known[index] : null;
    }
}
