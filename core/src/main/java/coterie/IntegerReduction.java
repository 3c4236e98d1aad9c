// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// An operation that combines integers of a team's members: on their bits, or on whether they are 0. The compiler
/// refuses it for views and arrays of floating-point numbers.
///
/// ```java
/// long seen = team.allReduce(IntegerReduction.OR, mine); // a set of up to 64
/// ```
/// @counterpart `ucc_reduction_op_t`: band, bor, bxor, land, lor, lxor
public enum IntegerReduction implements ReductionOperator<IntegerView> {
    /// bits that are set in all elements
    AND,
    /// bits that are set in any element
    OR,
    /// bits that are set in an odd number of elements
    XOR,
    /// 1 if the elements of all members differ from 0, else 0
    LOGICAL_AND,
    /// 1 if the element of any member differs from 0, else 0
    LOGICAL_OR,
    /// 1 if the elements of an odd number of members differ from 0, else 0
    LOGICAL_XOR;

    @Override
    public int width(ElementType type) {
        Objects.requireNonNull(type, () -> "width of " + this + ": type is null");
        if (type.isFloatingPoint()) {
            throw new IllegalArgumentException(this + " is no reduction of " + type + "; allowed are integers");
        }
        return type.byteSize();
    }
}
