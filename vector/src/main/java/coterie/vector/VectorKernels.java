// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.kernel.Kernels;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import jdk.incubator.vector.ByteVector;
import org.jspecify.annotations.Nullable;

/// Kernels of the widest vectors that the processor likes. The loop of a pair is made when it is first needed; what
/// fills no vector, the twin does.
final class VectorKernels implements Kernels {
    private static final int TYPES = ElementType.values().length;

    /// Shorter buffers fill no vector of any type.
    private static final int LEAST = ByteVector.SPECIES_PREFERRED.vectorByteSize();

    /// What a loop takes at once, whole vectors of any size: a collection of garbage waits until it is through.
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
        if (length >= LEAST) {
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

    /// Threads that need a pair at the same time may make its loop twice; either is as good.
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
