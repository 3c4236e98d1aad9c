// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementType;

/// Which of the folds it is that reduce the elements of several members one after the other. It matters where
/// accumulators are wider than elements ([ReductionKind#accumulatorSize]): 16-bit numbers are added and multiplied as
/// `float`s, and rounded by the last fold alone.
///
/// ```
///  2 members    ONLY     elements 0, elements 1     → elements
///  4 members    FIRST    elements 0, elements 1     → accumulators
///               NEXT     accumulators, elements 2   → accumulators
///               LAST     accumulators, elements 3   → elements
/// ```
public enum FoldStep {
    /// the elements of two members become elements
    ONLY,
    /// the elements of two members become accumulators
    FIRST,
    /// accumulators take up the elements of a member
    NEXT,
    /// accumulators take up the elements of the last member and become elements
    LAST;

    /// Returns the step that takes up the elements of a member.
    ///
    /// @param member in `[1, members)`
    /// @param members that are reduced, at least 2
    public static FoldStep of(int member, int members) {
        if (member == members - 1) {
            return member == 1 ? ONLY : LAST;
        }
        return member == 1 ? FIRST : NEXT;
    }

    /// Returns whether accumulators are on the left.
    public boolean takesAccumulators() {
        return this == NEXT || this == LAST;
    }

    /// Returns whether the target is of accumulators.
    public boolean makesAccumulators() {
        return this == FIRST || this == NEXT;
    }

    /// Returns the bytes of one of what is on the left.
    public int leftSize(ReductionKind reduction, ElementType type) {
        return takesAccumulators() ? reduction.accumulatorSize(type) : type.byteSize();
    }

    /// Returns the bytes of one of what the target has.
    public int targetSize(ReductionKind reduction, ElementType type) {
        return makesAccumulators() ? reduction.accumulatorSize(type) : type.byteSize();
    }
}
