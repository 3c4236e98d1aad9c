// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A program's own reduction of its own elements, which lie in views of any type. Answers to
/// `ucc_dt_create_generic` with a reduction.
///
/// It is not for exclusive scans, since it has no identity.
///
/// ```java
/// var multiply = new CustomReduction("complex product", 16, (target, left, right, count) -> { … });
/// Collective.allreduce(multiply).source(numbers, 0, 2 * n).target(products, 0, 2 * n) // two doubles each
/// ```
///
/// @param name for messages; members pass the same
/// @param bytes of one element of the program's, a multiple of those of the views' elements, at least 1
/// @param fold what it does
public record CustomReduction(String name, int bytes, Fold fold) implements ReductionOperator {

    /// Reduces a batch of elements.
    ///
    /// It is called by whichever thread advances the collective, by one at a time for each request, with segments
    /// that are valid during the call only. What it throws ends the collective on all members.
    @FunctionalInterface
    public interface Fold {
        /// Makes each element of the target the reduction of those at its place on the left and on the right, in
        /// this order.
        ///
        /// @param target begins where the left or the right ones do, or is apart from both
        /// @param left elements of the members before
        /// @param right elements of the members that follow
        /// @param count elements in each
        void fold(MemorySegment target, MemorySegment left, MemorySegment right, long count);
    }

    public CustomReduction {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(fold, "fold");
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "reduction \"" + name + "\": elements of " + bytes + " bytes; allowed are 1 and more");
        }
    }

    @Override
    public int width(ElementType type) {
        if (bytes % type.byteSize() != 0) {
            throw new IllegalArgumentException("reduction \"" + name + "\": its elements of " + bytes
                    + " bytes are no whole number of " + type + "; allowed are types whose size divides " + bytes);
        }
        return bytes;
    }

    @Override
    public String toString() {
        return "\"" + name + "\" of " + bytes + " bytes";
    }
}
