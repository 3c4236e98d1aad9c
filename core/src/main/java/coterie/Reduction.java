// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// An operation that combines the elements of a team's members, of any type. Integers wrap. [IntegerReduction] has
/// those of integers alone.
///
/// 16-bit floating-point numbers are added and multiplied as `float`s in the order of the members, and the result is
/// rounded once: so all members get the same bits from every algorithm, those of a loop over the members' elements
/// with a `float` accumulator. A NaN among the results of two or more members is 0x7E00 of HALF, 0x7FC0 of BFLOAT16.
/// 8-bit floating-point numbers have no reductions.
/// @counterpart `ucc_reduction_op_t`: sum, prod, min, max
public enum Reduction implements ReductionOperator<ElementView> {
    /// sum
    SUM,
    /// product
    PRODUCT,
    /// the smallest, in the type's order; floating-point numbers in that of [Math#min(double, double)]
    MIN,
    /// the largest, in the type's order; floating-point numbers in that of [Math#max(double, double)]
    MAX;

    @Override
    public int width(ElementType type) {
        return width(this, type);
    }

    /// Returns the bytes of an element of a type that has reductions.
    static int width(ReductionOperator<?> operator, ElementType type) {
        Objects.requireNonNull(type, () -> "width of " + operator.name() + ": type is null");
        if (!type.isReducible()) {
            throw new IllegalArgumentException(operator.name() + " is no reduction of " + type
                    + ", which is for storage and transfers; convert the elements to a wider type");
        }
        return type.byteSize();
    }
}
