// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.internal.rma.PeMemory;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// What a PE asks of the heap: a block of this size in place of another one, which is empty for a new block.
///
/// @param kind ALLOCATE or REALLOCATE
/// @param old the block whose content goes over
/// @param byteSize as the caller gave it
/// @param alignment as the caller gave it, or the old block's
record HeapRequest(OperationKind kind, PeMemory old, long byteSize, long alignment) {
    /// What the address of every PE's heap is a multiple of.
    private static final long MOST_ALIGNMENT = 1L << 30;

    /// What all PEs have to agree on beside the size.
    long subject() {
        return kind == OperationKind.ALLOCATE ? alignment : old.generation();
    }

    /// What is wrong with the arguments, or null.
    @Nullable
    String invalid() {
        if (byteSize < 0) {
            return "size " + byteSize + " is negative";
        }
        if (alignment < 1 || alignment > MOST_ALIGNMENT || Long.bitCount(alignment) != 1) {
            return "alignment " + alignment + " is not a power of two in [1, 2^30]";
        }
        return null;
    }

    /// How messages begin.
    String describe(int pe) {
        return kind.label() + " on PE " + pe + " ("
                + (kind == OperationKind.ALLOCATE
                        ? byteSize + " bytes, alignment " + alignment
                        : old + " to " + byteSize + " bytes")
                + "): ";
    }
}
