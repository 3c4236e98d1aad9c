// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.lang.foreign.MemorySegment;
import java.util.Objects;

/// A program's own reduction of its own elements, in views of any type. Not for exclusive scans, since it has no
/// identity.
///
/// ```java
/// var multiply = new CustomReduction("complex product", 16, (target, left, right, count) -> { … });
/// Collective.allReduce(multiply).source(numbers, 0, 2 * n).target(products, 0, 2 * n) // two doubles each
/// ```
///
/// @counterpart `ucc_dt_create_generic` with a reduction; partly: elements are contiguous bytes, without pack and
///     unpack callbacks
/// @param name for messages; all members pass the same
/// @param bytes of one element of the program's, a multiple of the size of the views' elements, at least 1
/// @param fold reduces a batch of elements
public record CustomReduction(String name, int bytes, Fold fold) implements ReductionOperator<ElementView> {

    /// Reduces a batch of elements. Any thread that advances the collective calls it, one at a time for each
    /// request, with segments that are valid during the call only. An exception that it throws ends the collective
    /// on all members.
    @FunctionalInterface
    public interface Fold {
        /// Sets each element of the target to the reduction of the elements with the same index on the left and on
        /// the right, in this order.
        ///
        /// @param target begins where the left or the right elements do, or overlaps neither
        /// @param left elements of earlier members
        /// @param right elements of the members that follow
        /// @param count elements in each
        void fold(MemorySegment target, MemorySegment left, MemorySegment right, long count);
    }

    public CustomReduction {
        Objects.requireNonNull(name, "CustomReduction: name is null");
        Objects.requireNonNull(fold, "CustomReduction: fold is null");
        if (bytes < 1) {
            throw new IllegalArgumentException(
                    "reduction \"" + name + "\": elements of " + bytes + " bytes; allowed are 1 and more");
        }
    }

    @Override
    public int width(ElementType type) {
        Objects.requireNonNull(type, "CustomReduction.width: type is null");
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
