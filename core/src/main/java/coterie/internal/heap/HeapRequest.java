// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.internal.memory.Allocator;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.OperationKind;
import org.jspecify.annotations.Nullable;

/// A member's request for a block of a size in place of another one, which is empty for a new block.
///
/// @param kind REALLOCATE, or what allocates
/// @param end of the heap, from which the team takes its blocks
/// @param old the block whose content moves to the new one
/// @param byteSize as the caller gave it
/// @param alignment as the caller gave it, or the old block's
record HeapRequest(OperationKind kind, Allocator.End end, PeMemory old, long byteSize, long alignment) {
    /// The address of every PE's heap is a multiple of it.
    private static final long MAX_ALIGNMENT = 1L << 30;

    /// Returns what all members must agree on beside the size.
    long subject() {
        return kind == OperationKind.REALLOCATE ? old.generation() : alignment;
    }

    /// Returns what is wrong with the arguments, or null.
    @Nullable
    String invalid() {
        if (byteSize < 0) {
            return "size " + byteSize + " is negative"
                    + (byteSize < Integer.MIN_VALUE
                            ? ""
                            : "; if it is a product of ints, it has overflowed: write (long) n * Double.BYTES");
        }
        if (alignment < 1 || alignment > MAX_ALIGNMENT || Long.bitCount(alignment) != 1) {
            return "alignment " + alignment + " is not a power of two in [1, 2^30]";
        }
        return null;
    }

    /// Returns the first words of messages.
    ///
    /// @param prefix of messages about the operation, with the PE
    String describe(String prefix) {
        return prefix + " ("
                + (kind == OperationKind.REALLOCATE
                        ? old + " to " + byteSize + " bytes"
                        : byteSize + " bytes, alignment " + alignment)
                + "): ";
    }
}
