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
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A block of a team's symmetric memory through which its collectives on other memory go. The first of them
/// allocates it, with all members; it ends with the team. One that needs more for a single element, as of a
/// program's own reduction, replaces it.
///
/// ```
///  allReduce, reduce, broadcast    │ piece │                                  source and target are one
///  reduceScatter                   │ piece │ piece │ … n                      the target is the first piece
///  allGather, gather               │ piece │ piece │ piece │ … n              source, then target
///  scatter                         │ piece │ … n │ piece │
///  allToAll                        │ piece │ … n │ piece │ … n │
/// ```
final class TeamStaging {
    /// Bytes that a piece begins at multiples of, if it has as many.
    private static final int LINE = 64;

    private final TeamHeap heap;
    private final Membership membership;
    private final long byteSize;
    private final @Nullable ElementView[] views = new ElementView[ElementType.values().length];
    private @Nullable SymmetricMemory block;
    private @Nullable ElementView stage;
    private long piece;
    private long pieces;
    private long target;

    /// @param byteSize as users want it; a large team takes more
    TeamStaging(TeamHeap heap, Membership membership, long byteSize) {
        this.heap = heap;
        this.membership = membership;
        long least = 2L * LINE * membership.size();
        this.byteSize = Math.max(byteSize, least);
    }

    /// Divides the memory for a collective, and allocates it, with all members, if there is none. What the
    /// methods below return is of the latest call.
    ///
    /// @param count elements of a block of the caller's memory, a multiple of `unit`
    /// @param unit elements that belong together
    void divide(OperationKind kind, ElementType type, long count, int unit) {
        long unitBytes = (long) unit * type.byteSize();
        int blocks = blocks(kind);
        SymmetricMemory memory = memory(kind, Math.multiplyExact(unitBytes, (long) blocks));
        stage = view(memory, type);
        long most = memory.byteSize() / blocks / unitBytes;
        int line = LINE / type.byteSize();
        long whole = unit == 1 && most > line ? most - most % line : most;
        long units = count / unit;
        pieces = Math.max(1, (units + whole - 1) / whole);
        piece = (units + pieces - 1) / pieces * unit;
        target = switch (kind) {
            case ALL_GATHER, GATHER -> piece;
            case SCATTER, ALL_TO_ALL -> piece * membership.size();
            default -> 0;
        };
    }

    /// Returns the whole memory.
    ElementView stage() {
        return Objects.requireNonNull(stage);
    }

    /// Returns the elements of a block that are there at a time.
    long piece() {
        return piece;
    }

    /// Returns how many pieces a block has, at least 1.
    long pieces() {
        return pieces;
    }

    /// Returns where the first piece of the target begins.
    long target() {
        return target;
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

    /// Returns where an element of it is in each PE's heap.
    long place(long index) {
        return HeapOffsets.offsetOf(stage().memory()) + index * stage().type().byteSize();
    }

    private ElementView view(SymmetricMemory memory, ElementType type) {
        ElementView made = views[type.ordinal()];
        if (made == null) {
            made = memory.elements(type);
            views[type.ordinal()] = made;
        }
        return made;
    }

    /// Returns the memory; allocates it, if there is none, or too little.
    private SymmetricMemory memory(OperationKind kind, long least) {
        SymmetricMemory had = block;
        if (had != null && had.byteSize() >= least) {
            return had;
        }
        SymmetricMemory made;
        try {
            made = heap.allocateStaging(Math.max(byteSize, least));
        } catch (SymmetricMemoryException e) {
            SymmetricMemoryException why = new SymmetricMemoryException(membership.messagePrefix(kind.label())
                    + "the team has no staging memory for arrays and segments (setting STAGING_KIB): "
                    + e.getMessage());
            why.initCause(e);
            throw why;
        }
        if (had != null) {
            had.close();
            Arrays.fill(views, null);
        }
        block = made;
        return made;
    }
}
