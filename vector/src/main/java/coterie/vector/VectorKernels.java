// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.incubator.vector.ByteVector;
import org.jspecify.annotations.Nullable;

/// Kernels of the widest vectors that the processor prefers. The loop of a reduction and type is made when it is
/// first needed; the scalar twin reduces the rest that fills no vector.
final class VectorKernels implements Kernels {
    private static final int TYPES = ElementType.values().length;

    /// Shorter buffers fill no vector of any type.
    private static final int MIN_BYTES = ByteVector.SPECIES_PREFERRED.vectorByteSize();

    /// Bytes of one call of a loop, a multiple of every vector size: a garbage collection waits until the call
    /// returns.
    private static final int PIECE = 1 << 20;

    private final Kernels twin;
    private final AtomicReferenceArray<@Nullable ReductionLoop> reductionLoops =
            new AtomicReferenceArray<>(Reduction.values().length * TYPES);

    VectorKernels(Kernels twin) {
        this.twin = twin;
    }

    @Override
    public void fold(
            Reduction reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long done = 0;
        if (length >= MIN_BYTES) {
            ReductionLoop reductionLoop = reductionLoop(reduction, type);
            int piece;
            do {
                piece = (int) Math.min(length - done, PIECE);
                piece = reductionLoop.fold(target, to + done, left, leftFrom + done, right, rightFrom + done, piece);
                done += piece;
            } while (piece == PIECE);
        }
        if (done < length) {
            twin.fold(
                    reduction, type, target, to + done, left, leftFrom + done, right, rightFrom + done, length - done);
        }
    }

    /// Returns the loop of a pair. Threads that need it at the same time may make it twice; all copies are
    /// equivalent.
    private ReductionLoop reductionLoop(Reduction reduction, ElementType type) {
        int index = reduction.ordinal() * TYPES + type.ordinal();
        ReductionLoop found = reductionLoops.getAcquire(index);
        return found != null ? found : made(reduction, type, index);
    }

    private ReductionLoop made(Reduction reduction, ElementType type, int index) {
        ReductionLoop reductionLoop = VectorLoops.of(reduction, type);
        reductionLoops.setRelease(index, reductionLoop);
        return reductionLoop;
    }
}
