// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import coterie.spi.ReductionLoops;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// The runtime's own kernels, which every JVM can run.
public final class ScalarKernels implements Kernels {
    /// The kernels of this JVM: code, and no state.
    public static final Kernels INSTANCE = new ScalarKernels();

    private final ReductionLoops loops =
            new ReductionLoops(key -> ReductionLoops.define(MethodHandles.lookup(), ScalarLoop.class, key));

    private ScalarKernels() {}

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
        switch (reduction) {
            case SUM, PRODUCT, MIN, MAX ->
                loops.fold(step, reduction, type, target, to, left, leftFrom, right, rightFrom, length);
            case AND, OR, XOR -> foldBits(reduction, target, to, left, leftFrom, right, rightFrom, length);
        }
    }

    /// Bits have no type: the loop takes 64 at a time, and the rest by bytes.
    private void foldBits(
            ReductionKind reduction,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long done = loops.fold(
                FoldStep.ONLY, reduction, ElementType.LONG, target, to, left, leftFrom, right, rightFrom, length);
        if (done < length) {
            loops.fold(
                    FoldStep.ONLY,
                    reduction,
                    ElementType.BYTE,
                    target,
                    to + done,
                    left,
                    leftFrom + done,
                    right,
                    rightFrom + done,
                    length - done);
        }
    }
}
