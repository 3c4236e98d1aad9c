// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.p2p.Operator;
import java.lang.foreign.MemorySegment;

/// A reduction by the kernels of this JVM.
public record KernelOperator(Reduction reduction, ElementType elements) implements Operator {
    @Override
    public void fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        KernelChoice.made().kernels().fold(reduction, elements, target, to, left, leftFrom, right, rightFrom, length);
    }

    @Override
    public void clear(MemorySegment target, long at, long length) {
        ReductionIdentity.fill(reduction, elements, target, at, length);
    }
}
