// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ElementView;
import coterie.internal.rma.BlockHeap;
import coterie.internal.rma.HeapOffsets;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Membership;
import coterie.internal.wait.OperationKind;
import coterie.spi.ReductionKind;
import org.jspecify.annotations.Nullable;

/// Checks what a member passes to a collective over memory: places, ranges and counts. Counts, indices and strides
/// are in elements; places are offsets in each PE's heap.
public final class ArgumentChecks {
    /// Fewer than two to this power of elements are a number of bytes, times any number of members.
    private static final int SURELY_FINE = 63 - 31 - 3;

    private final Membership membership;
    private final PeContext context;

    /// The memory of a team that has all members of this one.
    private @Nullable BlockHeap held;

    /// @param context the world's default one, whose blocks are allowed
    public ArgumentChecks(Membership membership, PeContext context) {
        this.membership = membership;
        this.context = context;
    }

    /// The type of the elements, the same in target and source.
    public ElementType type(OperationKind kind, ElementView target, ElementView source) {
        checkGiven(kind, "target", target);
        checkGiven(kind, "source", source);
        ElementType type = target.type();
        if (type != source.type()) {
            throw illegal(
                    kind,
                    "the target's elements are " + type + ", the source's " + source.type()
                            + "; both must have the same type");
        }
        return type;
    }

    <T> T checkGiven(OperationKind kind, String role, @Nullable T argument) {
        if (argument == null) {
            throw new NullPointerException(messagePrefix(kind) + role + " is null");
        }
        return argument;
    }

    /// Refuses reductions that the type doesn't have.
    public void checkReduction(OperationKind kind, @Nullable ReductionKind reduction, ElementType type) {
        if (!checkGiven(kind, "reduction", reduction).suits(type)) {
            throw illegal(
                    kind,
                    type.isReducible()
                            ? reduction + " is not defined for floating-point numbers; allowed: SUM, PRODUCT, MIN, MAX"
                            : reduction + " is not defined for " + type + ", which is for storage and transfers");
        }
    }

    /// Refuses a count of which `copies` would be more bytes than a number holds.
    public void checkCount(OperationKind kind, ElementType type, long count, int copies) {
        if (count >> SURELY_FINE == 0) {
            return; // no division where none is needed
        }
        long most = Long.MAX_VALUE / type.byteSize() / copies;
        if (count < 0 || count > most) {
            throw illegal(kind, "count " + count + " is outside [0, " + most + "]");
        }
    }

    public void checkRoot(OperationKind kind, int root) {
        if (root < 0 || root >= membership.size()) {
            throw new IndexOutOfBoundsException(
                    messagePrefix(kind) + "root " + root + " is outside [0, " + membership.size() + ")");
        }
    }

    void checkBlockLength(OperationKind kind, long blockLength) {
        if (blockLength < 1) {
            throw illegal(kind, "block length " + blockLength + " is outside [1, " + Long.MAX_VALUE + "]");
        }
    }

    void checkStride(OperationKind kind, String role, long stride, long blockLength) {
        if (stride < blockLength) {
            throw illegal(
                    kind,
                    "the " + role + "'s stride " + stride + " is outside [" + blockLength + ", " + Long.MAX_VALUE + "]"
                            + (blockLength > 1 ? " for blocks of " + blockLength : ""));
        }
    }

    /// Returns how many elements lie between the begin of the first of `count` blocks and the end of the last, or
    /// more than any memory has.
    static long span(long count, long stride, long blockLength) {
        if (count == 0) {
            return 0;
        }
        long reach = (count - 1) * stride;
        return Math.multiplyHigh(count - 1, stride) != 0 || reach < 0 || reach > Long.MAX_VALUE - blockLength
                ? Long.MAX_VALUE
                : reach + blockLength;
    }

    /// Where elements begin in each PE's heap.
    ///
    /// @param role "target" or "source"
    /// @param index of the first
    /// @param span how many from there on must be in the block
    public long place(OperationKind kind, String role, ElementView view, long index, long span) {
        PeMemory block = HeapOffsets.blockOf(view);
        if (!block.isAliveIn(context)) {
            throw dead(kind, "the " + role + ", " + block, block);
        }
        if (!block.heap().equals(held)) {
            checkHeld(kind, role, block);
        }
        long length = view.length();
        if (index < 0 || index > length - span) {
            throw new IndexOutOfBoundsException(messagePrefix(kind) + span + " elements of the " + role + " from index "
                    + index
                    + " exceed the " + length + " of " + view.type() + " in " + block + "; allowed: "
                    + (span > length ? "up to " + length + " elements" : "indices in [0, " + (length - span) + "]"));
        }
        return block.offset() + index * view.type().byteSize();
    }

    /// Refuses memory that a member does not have.
    private void checkHeld(OperationKind kind, String role, PeMemory block) {
        for (int member = 0; member < membership.size() && block.heap().teamName() != null; member++) {
            if (!block.heap().isHeldBy(membership.pe(member))) {
                throw illegal(
                        kind,
                        "the " + role + ", " + block + ", is not memory of PE " + membership.pe(member)
                                + "; allowed is memory of a team that has all members of this one");
            }
        }
        held = block.heap();
    }

    /// Refuses a block that was freed.
    public void checkAlive(OperationKind kind, PeMemory block) {
        if (!block.isAliveIn(context)) {
            throw dead(kind, block.toString(), block);
        }
    }

    private IllegalStateException dead(OperationKind kind, String what, PeMemory block) {
        return new IllegalStateException(
                messagePrefix(kind) + what + (block.isFreed() ? ", was freed" : ", belongs to another world"));
    }

    /// Refuses a target that has no room for what all members give together.
    void placeGathered(Call call, long total) {
        ElementView target = call.target;
        if (target != null) {
            place(call.kind, "target", target, call.targetIndex, total);
        }
    }

    /// Refuses a target that overlaps with the source.
    ///
    /// @param isInPlaceAllowed whether both may begin at the same offset
    /// @param targetBytes how far the target reaches
    /// @param sourceBytes how far the source reaches
    void checkOverlap(
            OperationKind kind,
            boolean isInPlaceAllowed,
            long target,
            long targetBytes,
            long source,
            long sourceBytes) {
        boolean overlap =
                targetBytes > 0 && sourceBytes > 0 && target < source + sourceBytes && source < target + targetBytes;
        if (overlap && !(isInPlaceAllowed && target == source)) {
            throw illegal(
                    kind,
                    "the target, " + targetBytes + " bytes from " + target + " in the heap, and the source, "
                            + sourceBytes + " bytes from " + source + ", overlap; they must "
                            + (isInPlaceAllowed ? "begin at the same offset or be disjoint" : "be disjoint"));
        }
    }

    private IllegalArgumentException illegal(OperationKind kind, String what) {
        return new IllegalArgumentException(messagePrefix(kind) + what);
    }

    private String messagePrefix(OperationKind kind) {
        return membership.messagePrefix(kind.label());
    }
}
