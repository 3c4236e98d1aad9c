// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Elements;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.wait.WaitKind;
import org.jspecify.annotations.Nullable;

/// What a member has asked for, checked: the collective that is under way on a team, or the latest. One for each
/// team, since one is under way at a time, so that calls allocate nothing.
///
/// Places are offsets in everybody's heap, counts are in elements.
final class Call {
    /// What a reduction is where there is none.
    private static final Reduction NONE = Reduction.SUM;

    WaitKind kind = WaitKind.NONE;
    CollectiveType type = CollectiveType.BARRIER;
    Reduction reduction = NONE;
    ElementType elements = ElementType.BYTE;
    long to;
    long from;
    long count;
    int root;
    long toStride;
    long fromStride;

    /// By which the way is chosen that it goes.
    long bytes;

    /// The target as it was passed, where only the round tells how much goes there.
    @Nullable
    Elements target;

    long targetIndex;

    /// @param bytes as [CollectiveType] has them
    void set(WaitKind kind, CollectiveType type, ElementType elements, long to, long from, long count, long bytes) {
        this.kind = kind;
        this.type = type;
        this.reduction = NONE;
        this.elements = elements;
        this.to = to;
        this.from = from;
        this.count = count;
        this.bytes = bytes;
        this.root = 0;
    }

    int width() {
        return elements.byteSize();
    }

    /// Bytes of `count` elements.
    long length() {
        return count * width();
    }

    /// Whether it depends on the grouping of operands what comes out.
    boolean isRounding() {
        boolean isReduction = switch (type) {
            case ALLREDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
        return isReduction
                && (elements == ElementType.FLOAT || elements == ElementType.DOUBLE)
                && (reduction == Reduction.SUM || reduction == Reduction.PRODUCT);
    }

    /// Whether there are buffers, where I have to provide them.
    boolean hasPlace() {
        return from >= 0;
    }

    boolean isInPlace() {
        return to == from;
    }
}
