// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.p2p.Operator;
import coterie.internal.posix.AddressSpace;
import coterie.spi.FoldStep;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;

/// A reduction by the kernels of this JVM.
public record KernelOperator(ReductionKind reduction, ElementType elements) implements Operator {
    private static final MemorySegment ALL = AddressSpace.ALL;

    @Override
    public void fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        fold(FoldStep.ONLY, target, to, left, leftFrom, right, rightFrom, length);
    }

    /// Does one of the folds that reduce the elements of several members.
    public void fold(
            FoldStep step,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        KernelChoice.made()
                .kernels()
                .fold(step, reduction, elements, target, to, left, leftFrom, right, rightFrom, length);
    }

    @Override
    public void foldAll(long target, long[] operands, int count, long length, MemorySegment accumulators) {
        if (count <= 2) { // without accumulators, as long as it is
            if (count == 2) {
                fold(ALL, target, ALL, operands[0], ALL, operands[1], length);
            } else if (target != operands[0]) {
                MemoryCopy.copy(ALL, operands[0], ALL, target, length);
            }
            return;
        }
        long piece = piece(accumulators.byteSize());
        for (long at = 0; at < length; at += piece) {
            long bytes = Math.min(piece, length - at);
            accumulate(operands, count - 1, at, bytes, accumulators);
            fold(FoldStep.LAST, ALL, target + at, accumulators, 0, ALL, operands[count - 1] + at, bytes);
        }
    }

    /// Returns the bytes of as many elements as some bytes have accumulators.
    public long piece(long accumulatorBytes) {
        return accumulatorBytes / reduction.accumulatorSize(elements) * elements.byteSize();
    }

    /// Makes accumulators of the elements of the first members, two or more.
    ///
    /// @param at where the elements begin in each operand
    /// @param length bytes, no more than a [#piece]
    public void accumulate(long[] operands, int members, long at, long length, MemorySegment accumulators) {
        fold(FoldStep.FIRST, accumulators, 0, ALL, operands[0] + at, ALL, operands[1] + at, length);
        for (int member = 2; member < members; member++) {
            fold(FoldStep.NEXT, accumulators, 0, accumulators, 0, ALL, operands[member] + at, length);
        }
    }

    @Override
    public void clear(MemorySegment target, long at, long length) {
        ReductionIdentity.fill(reduction, elements, target, at, length);
    }
}
