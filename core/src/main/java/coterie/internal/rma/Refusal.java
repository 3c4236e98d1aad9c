// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

/// Says what is wrong with the arguments of a one-sided operation: kept away from the paths that never need it.
final class Refusal {
    private Refusal() {}

    /// The exception for an access that failed the combined check; asks the questions one by one.
    static RuntimeException of(
            String operation, PeContext context, int me, int size, PeMemory block, long offset, long length, int pe) {
        String who = operation + " on PE " + me + ": ";
        if (pe < 0 || pe >= size) {
            return outside(operation, me, size, pe);
        }
        if (block.owner == null) {
            return freed(operation, me, block);
        }
        if (block.owner != context) {
            return new IllegalStateException(who + block + " is of another world");
        }
        return new IndexOutOfBoundsException(
                who + "offset " + offset + " and length " + length + " leave " + block + "; allowed are "
                        + (length < 0 || length > block.byteSize
                                ? "lengths in [0, " + block.byteSize + "]"
                                : "offsets in [0, " + (block.byteSize - length) + "]"));
    }

    static IndexOutOfBoundsException outside(String operation, int me, int size, int pe) {
        return new IndexOutOfBoundsException(
                operation + " on PE " + me + ": PE " + pe + " is outside [0, " + size + ")");
    }

    static IllegalStateException freed(String operation, int me, PeMemory block) {
        return new IllegalStateException(operation + " on PE " + me + ": " + block + " was freed");
    }

    static IllegalArgumentException misaligned(String operation, int me, long offset, int bytes) {
        return new IllegalArgumentException(
                operation + " on PE " + me + ": offset " + offset + " is not a multiple of " + bytes);
    }

    static IllegalArgumentException overlapping(
            String operation, int me, long targetOffset, long sourceOffset, long length) {
        return new IllegalArgumentException(operation + " on PE " + me + ": " + length + " bytes of target at offset "
                + targetOffset + " and of source at offset " + sourceOffset
                + " overlap in part; they must be identical or apart");
    }

    static IndexOutOfBoundsException ofSegment(
            String operation, String role, int me, long byteSize, long offset, long length) {
        return new IndexOutOfBoundsException(operation + " on PE " + me + ": offset " + offset + " and length " + length
                + " leave the " + role + " of " + byteSize + " bytes");
    }
}
