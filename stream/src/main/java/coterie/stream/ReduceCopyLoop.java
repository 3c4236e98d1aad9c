// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// What one thread does of a [KernelGroup#reduceCopy]: it folds the sources, in their order, by the kernels of the
/// collectives, and copies the results from the first target to the others.
///
/// ```
///  source 0 ┐
///  source 1 ┴► accumulators ◄─ source 2 … ; with the last source ─► target 0 ─► targets 1, 2 …
/// ```
final class ReduceCopyLoop {
    /// Elements that a thread reduces at a time: enough for the loops, few enough that all threads have some, and that
    /// the accumulators stay in a cache.
    static final long SHARE = 4096;

    /// Of each thread that reduces: as wide as any are.
    private static final ThreadLocal<MemorySegment> ACCUMULATORS =
            ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(SHARE * Long.BYTES, Long.BYTES));

    private ReduceCopyLoop() {}

    /// Reduces the elements `[from, to)`, at most [#SHARE]; a single source is copied.
    static void run(
            Kernels kernels,
            ReductionKind kind,
            ElementType type,
            MemorySegment[] targets,
            MemorySegment[] sources,
            long from,
            long to) {
        long at = from * type.byteSize();
        long length = (to - from) * type.byteSize();
        MemorySegment result = targets[0];
        if (sources.length == 1) {
            MemorySegment.copy(sources[0], at, result, at, length);
        } else {
            fold(kernels, kind, type, result, sources, at, length);
        }
        for (int i = 1; i < targets.length; i++) {
            MemorySegment.copy(result, at, targets[i], at, length);
        }
    }

    /// The last fold alone stores to the target, which may be any of the sources.
    private static void fold(
            Kernels kernels,
            ReductionKind kind,
            ElementType type,
            MemorySegment target,
            MemorySegment[] sources,
            long at,
            long length) {
        MemorySegment accumulators = ACCUMULATORS.get();
        MemorySegment left = sources[0];
        for (int i = 1; i < sources.length; i++) {
            FoldStep step = FoldStep.of(i, sources.length);
            boolean isLast = i == sources.length - 1;
            kernels.fold(
                    step,
                    kind,
                    type,
                    isLast ? target : accumulators,
                    isLast ? at : 0,
                    left,
                    i == 1 ? at : 0,
                    sources[i],
                    at,
                    length);
            left = accumulators;
        }
    }
}
