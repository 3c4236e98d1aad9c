// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CustomReduction;
import coterie.internal.p2p.Operator;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What a program's own reduction does with elements. It gets segments of just the bytes that it may use, and
/// those that it may not change are read-only.
///
/// A request folds the same bytes in each of its runs. Segments are made once for each place, so that later runs
/// allocate nothing. One thread at a time calls it, as one advances a request.
final class CustomOperator implements Operator {
    /// Folds whose segments are kept: some hundred bytes each, for as long as the request is. Only vectors in very
    /// many fragments have more.
    private static final int MOST = 1 << 14;

    private final CustomReduction reduction;
    private final Map<Place, Segments> made = new HashMap<>();

    /// What is looked for in the map; never a key in it.
    private final Place sought = new Place();

    CustomOperator(CustomReduction reduction) {
        this.reduction = reduction;
    }

    /// Which bytes a fold is about, by their addresses.
    private static final class Place {
        private long target;
        private long left;
        private long right;
        private long length;

        void set(long newTarget, long newLeft, long newRight, long newLength) {
            target = newTarget;
            left = newLeft;
            right = newRight;
            length = newLength;
        }

        Place copy() {
            Place copy = new Place();
            copy.set(target, left, right, length);
            return copy;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Place place
                    && place.target == target
                    && place.left == left
                    && place.right == right
                    && place.length == length;
        }

        @Override
        public int hashCode() {
            return Long.hashCode(31 * (31 * (31 * target + left) + right) + length);
        }
    }

    /// What a fold gets.
    private record Segments(MemorySegment target, MemorySegment left, MemorySegment right) {
        static Segments of(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            return new Segments(
                    target.asSlice(to, length),
                    left.asSlice(leftFrom, length).asReadOnly(),
                    right.asSlice(rightFrom, length).asReadOnly());
        }
    }

    @Override
    public void fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        // Segments of a layer's own may be gone at the next call, with others at their addresses.
        boolean isLasting = isAll(target) && isAll(left) && isAll(right);
        Segments segments = isLasting
                ? lasting(to, leftFrom, rightFrom, length)
                : Segments.of(target, to, left, leftFrom, right, rightFrom, length);
        reduction.fold().fold(segments.target, segments.left, segments.right, length / reduction.bytes());
    }

    private static boolean isAll(MemorySegment segment) {
        return segment.equals(AddressSpace.ALL);
    }

    private Segments lasting(long to, long left, long right, long length) {
        sought.set(to, left, right, length);
        Segments found = made.get(sought);
        if (found == null) {
            MemorySegment all = AddressSpace.ALL;
            found = Segments.of(all, to, all, left, all, right, length);
            if (made.size() < MOST) {
                made.put(sought.copy(), found);
            }
        }
        return found;
    }

    @Override
    public void clear(MemorySegment target, long at, long length) {
        throw new AssertionError(reduction + " has no identity element"); // prepare refuses what needs it
    }
}
