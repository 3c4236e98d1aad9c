// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import coterie.spi.ReductionLoops;
import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.ByteVector;

/// Kernels of the widest vectors that the processor prefers. The twin reduces what fills no vector.
final class VectorKernels implements Kernels {
    /// Shorter buffers fill no vector of any type.
    private static final int LEAST = ByteVector.SPECIES_PREFERRED.vectorByteSize();

    private final Kernels twin;
    private final ReductionLoops loops = new ReductionLoops(VectorLoops::of);

    VectorKernels(Kernels twin) {
        this.twin = twin;
    }

    @Override
    public void fold(
            FoldStep step,
            ReductionKind reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long done = length < LEAST
                ? 0
                : loops.fold(step, reduction, type, target, to, left, leftFrom, right, rightFrom, length);
        if (done < length) {
            long elements = done / type.byteSize();
            twin.fold(
                    step,
                    reduction,
                    type,
                    target,
                    to + elements * step.targetSize(reduction, type),
                    left,
                    leftFrom + elements * step.leftSize(reduction, type),
                    right,
                    rightFrom + done,
                    length - done);
        }
    }
}
