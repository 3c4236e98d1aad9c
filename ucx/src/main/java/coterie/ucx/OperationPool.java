// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.ucx.UcxOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The operations of a worker, and the tickets for them. The pool grows to the most that were ever under way,
/// and allocates nothing from then on. The worker's lock guards it, but for [#isDone].
///
/// ```
///  ticket   63 ────────── 20 │ 19 ────── 0
///           generation       │ index + 1
/// ```
final class OperationPool {
    /// Operations of the program that may be under way: enough to fill a network for a round trip.
    static final int LIMIT = 1024;

    /// The ticket of an operation that never completes: a fetch from a PE that has ended.
    static final long NEVER = Long.MAX_VALUE;

    private static final int INDEX_BITS = 20;
    private static final int GROWTH = 64;
    private static final long STRIDE = (UcxMessage.HEADER_BYTES + UcxMessage.PAYLOAD_BYTES + 63) & -64L;

    private final Arena arena;
    private final List<UcxOperation> free = new ArrayList<>();
    private volatile UcxOperation[] all = new UcxOperation[0];
    private @Nullable BounceBlock blocks;

    /// Operations under way that the limit counts.
    private int limited;

    /// @param arena for the memory of operations; shared
    OperationPool(Arena arena) {
        this.arena = arena;
    }

    boolean hasRoom() {
        return limited < LIMIT;
    }

    UcxOperation acquire(Kind kind, @Nullable UcxPeer peer) {
        if (free.isEmpty()) {
            grow();
        }
        UcxOperation operation = free.removeLast();
        operation.kind = kind;
        operation.peer = peer;
        limited += kind.isLimited ? 1 : 0;
        return operation;
    }

    /// Ends an operation: its ticket is done, and the object serves others.
    void release(UcxOperation operation) {
        forget(operation);
        operation.endUse();
        free.add(operation);
    }

    /// Takes an operation out of use that never completes: its ticket is never done.
    void forget(UcxOperation operation) {
        limited -= operation.kind.isLimited ? 1 : 0;
        BounceBlock block = operation.block;
        if (block != null) {
            block.next = blocks;
            blocks = block;
            operation.block = null;
        }
    }

    BounceBlock acquireBlock() {
        BounceBlock block = blocks;
        if (block == null) {
            return new BounceBlock(arena.allocate(BounceBlock.BYTES, 64));
        }
        blocks = block.next;
        return block;
    }

    private void grow() {
        UcxOperation[] more = java.util.Arrays.copyOf(all, all.length + GROWTH);
        if (more.length >= 1 << INDEX_BITS) {
            throw new IllegalStateException(more.length + " operations of one PE are under way");
        }
        MemorySegment memory = arena.allocate(GROWTH * STRIDE, 64);
        for (int index = all.length; index < more.length; index++) {
            UcxOperation operation = new UcxOperation(index, memory.address() + (index - all.length) * STRIDE);
            more[index] = operation;
            free.add(operation);
        }
        all = more;
    }

    static long ticket(UcxOperation operation) {
        return operation.generation() << INDEX_BITS | operation.index + 1;
    }

    /// Returns whether the operation of a ticket has ended. Any thread may call it without the lock.
    boolean isDone(long ticket) {
        return ticket == 0 || (ticket != NEVER && find(ticket) == null);
    }

    /// Returns the operation of a ticket, or null if it has ended.
    @Nullable
    UcxOperation find(long ticket) {
        int index = (int) (ticket & (1 << INDEX_BITS) - 1) - 1;
        UcxOperation[] known = all;
        if (index < 0 || index >= known.length) {
            return null;
        }
        return known[index].generation() == ticket >>> INDEX_BITS ? known[index] : null;
    }
}
