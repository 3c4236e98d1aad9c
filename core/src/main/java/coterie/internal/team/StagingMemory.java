// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.ElementType;
import coterie.ElementView;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.internal.heap.TeamHeap;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// A block of a team's symmetric memory through which its collectives on other memory go. The first of them allocates it,
/// with all members; it ends with the team.
///
/// ```
///  allReduce, reduce, broadcast    │ piece │                                  source and target are one
///  reduceScatter                   │ piece │ piece │ … n                      the target is the first piece
///  allGather, gather               │ piece │ piece │ piece │ … n              source, then target
///  scatter                         │ piece │ … n │ piece │
///  allToAll                        │ piece │ … n │ piece │ … n │
/// ```
final class StagingMemory {
    /// Bytes that a piece begins at multiples of, if it has as many.
    private static final int LINE = 64;

    private final TeamHeap heap;
    private final Membership membership;
    private final long byteSize;
    private final @Nullable Layout[] latest = new Layout[OperationKind.values().length];
    private final @Nullable ElementView[] views = new ElementView[ElementType.values().length];
    private @Nullable SymmetricMemory block;

    /// @param byteSize as users want it; a large team takes more
    StagingMemory(TeamHeap heap, Membership membership, long byteSize) {
        this.heap = heap;
        this.membership = membership;
        long least = 2L * LINE * membership.size();
        this.byteSize = Math.max(byteSize, least);
    }

    /// How the memory is divided for a collective.
    ///
    /// @param count elements of a block of the caller's memory
    /// @param stage the whole memory
    /// @param piece elements of a block that are there at a time
    /// @param pieces of a block, at least 1
    /// @param target where the first piece of the target begins
    record Layout(long count, ElementView stage, long piece, long pieces, long target) {}

    /// Returns how the memory is divided, and allocates it, with all members, if there is none.
    Layout layout(OperationKind kind, ElementType type, long count) {
        Layout last = latest[kind.ordinal()];
        if (last != null && last.count == count && last.stage.type() == type) {
            return last;
        }
        int blocks = blocks(kind);
        ElementView stage = view(kind, type);
        long most = byteSize / blocks / type.byteSize();
        int line = LINE / type.byteSize();
        long whole = most > line ? most - most % line : most;
        long pieces = Math.max(1, (count + whole - 1) / whole);
        long piece = (count + pieces - 1) / pieces;
        long target = switch (kind) {
            case ALL_GATHER, GATHER -> piece;
            case SCATTER, ALL_TO_ALL -> piece * membership.size();
            default -> 0;
        };
        Layout made = new Layout(count, stage, piece, pieces, target);
        latest[kind.ordinal()] = made;
        return made;
    }

    private int blocks(OperationKind kind) {
        int size = membership.size();
        return switch (kind) {
            case ALL_GATHER, GATHER, SCATTER -> size + 1;
            case ALL_TO_ALL -> 2 * size;
            case REDUCE_SCATTER -> size;
            default -> 1;
        };
    }

    /// Returns where an element is in each PE's heap.
    long place(long index, ElementType type) {
        SymmetricMemory made = block;
        return made == null ? 0 : HeapOffsets.offsetOf(made) + index * type.byteSize();
    }

    private ElementView view(OperationKind kind, ElementType type) {
        ElementView made = views[type.ordinal()];
        if (made == null) {
            made = viewOf(allocated(kind), type);
            views[type.ordinal()] = made;
        }
        return made;
    }

    private static ElementView viewOf(SymmetricMemory memory, ElementType type) {
        return switch (type) {
            case BYTE -> memory.bytes();
            case SHORT -> memory.shorts();
            case INT -> memory.ints();
            case LONG -> memory.longs();
            case UNSIGNED_BYTE -> memory.bytes().unsigned();
            case UNSIGNED_SHORT -> memory.shorts().unsigned();
            case UNSIGNED_INT -> memory.ints().unsigned();
            case UNSIGNED_LONG -> memory.longs().unsigned();
            case FLOAT -> memory.floats();
            case DOUBLE -> memory.doubles();
        };
    }

    private SymmetricMemory allocated(OperationKind kind) {
        SymmetricMemory made = block;
        if (made == null) {
            try {
                made = heap.allocateStaging(byteSize);
            } catch (SymmetricMemoryException e) {
                SymmetricMemoryException why = new SymmetricMemoryException(membership.messagePrefix(kind.label())
                        + "the team has no staging memory for arrays and segments (setting STAGING_KIB): "
                        + e.getMessage());
                why.initCause(e);
                throw why;
            }
            block = made;
        }
        return made;
    }
}
