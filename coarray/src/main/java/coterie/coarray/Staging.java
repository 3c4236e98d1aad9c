// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.ElementType;
import coterie.ElementView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Memory of a team for collectives on elements that are in no coarray:
///
/// ```
///  values of the caller  ── copy ──►  memory of the team  ── collective ──►  ── copy ──►  values
/// ```
///
/// It grows to the largest values so far, up to a bound; larger values take turns. All images do the same, since they
/// have compared the number of bytes.
final class Staging {
    private static final long LEAST = 4 << 10;
    private static final long MOST = 256 << 10;

    private final Team core;
    private @Nullable SymmetricMemory memory;

    Staging(Team core) {
        this.core = core;
    }

    /// Returns memory for values, or for the elements of one turn.
    private SymmetricMemory memory(long bytes, long width) {
        long turn = Math.max(width, MOST / width * width);
        long needed = Math.min(bytes, turn);
        SymmetricMemory had = memory;
        if (had != null && had.byteSize() >= needed) {
            return had;
        }
        SymmetricMemory grown = core.allocate(Math.max(LEAST, Math.max(needed, Long.highestOneBit(needed) * 2)));
        if (had != null) {
            had.close();
        }
        memory = grown;
        return grown;
    }

    /// Replaces values by their reduction.
    ///
    /// @param width bytes of what the operator combines
    void reduce(ReductionOperator operator, ElementType type, MemorySegment values, int width) {
        long bytes = values.byteSize();
        if (bytes == 0) {
            return;
        }
        SymmetricMemory staged = memory(bytes, width);
        ElementView view = view(staged, type);
        long turn = staged.byteSize() / width * width;
        for (long at = 0; at < bytes; at += turn) {
            long size = Math.min(turn, bytes - at);
            long count = size / type.byteSize();
            MemorySegment.copy(values, at, staged.segment(), 0, size);
            if (operator instanceof Reduction reduction) {
                core.allReduce(reduction, view, 0, view, 0, count);
            } else {
                run(core, Collective.allReduce(operator).source(view, 0, count).target(view, 0, count));
            }
            MemorySegment.copy(staged.segment(), 0, values, at, size);
        }
    }

    /// Replaces values by those of a member.
    void broadcast(MemorySegment values, int root, boolean isRoot) {
        long bytes = values.byteSize();
        if (bytes == 0) {
            return;
        }
        SymmetricMemory staged = memory(bytes, 1);
        ElementView view = staged.bytes();
        for (long at = 0; at < bytes; at += staged.byteSize()) {
            long size = Math.min(staged.byteSize(), bytes - at);
            if (isRoot) {
                MemorySegment.copy(values, at, staged.segment(), 0, size);
            }
            core.broadcast(view, 0, view, 0, size, root);
            if (!isRoot) {
                MemorySegment.copy(staged.segment(), 0, values, at, size);
            }
        }
    }

    /// Runs a collective of core to its end.
    static void run(Team core, Collective collective) {
        Request request = core.prepare(collective);
        try {
            request.post();
            request.await();
        } finally {
            request.close();
        }
    }

    private static ElementView view(SymmetricMemory memory, ElementType type) {
        return switch (type) {
            case BYTE -> memory.bytes();
            case SHORT -> memory.shorts();
            case INT -> memory.ints();
            case LONG -> memory.longs();
            case FLOAT -> memory.floats();
            case DOUBLE -> memory.doubles();
            case UNSIGNED_BYTE -> memory.bytes().unsigned();
            case UNSIGNED_SHORT -> memory.shorts().unsigned();
            case UNSIGNED_INT -> memory.ints().unsigned();
            case UNSIGNED_LONG -> memory.longs().unsigned();
        };
    }
}
