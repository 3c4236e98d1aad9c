// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricMemory;

/// Places in symmetric memory as collectives name them: the same on every PE, so an offset in the heap.
public final class Places {
    private Places() {}

    /// Where a block lies in every PE's heap.
    public static long offsetOf(SymmetricMemory memory) {
        return ((PeMemory) memory).offset;
    }

    /// Checks target and source of a collective, which are places in everybody's memory.
    ///
    /// @param width bytes of an element, to which offsets must be aligned
    public static void checkPair(
            PeContext context,
            String operation,
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long length,
            int width) {
        long to = place(context, operation, target, targetOffset, length);
        long from = place(context, operation, source, sourceOffset, length);
        if (((to | from) & width - 1) != 0) {
            throw Refusal.misaligned(operation, context.me, (to & width - 1) != 0 ? targetOffset : sourceOffset, width);
        }
        if (to != from && to < from + length && from < to + length) {
            throw Refusal.overlapping(operation, context.me, targetOffset, sourceOffset, length);
        }
    }

    private static long place(PeContext context, String operation, SymmetricMemory memory, long offset, long length) {
        PeMemory block = (PeMemory) memory;
        if (!block.isAliveIn(context.home) || (offset | length) < 0 || offset > block.byteSize - length) {
            throw Refusal.ofBytes(operation, context, block, offset, length);
        }
        return block.offset + offset;
    }
}
