// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// An operation that combines the elements of a team's members. Integers wrap.
/// @counterpart `ucc_reduction_op_t`: sum, prod, min, max, band, bor, bxor
public enum Reduction implements ReductionOperator {
    /// sum
    SUM,
    /// product
    PRODUCT,
    /// the smallest, in the type's order; floating-point numbers in that of [Math#min(double, double)]
    MIN,
    /// the largest, in the type's order; floating-point numbers in that of [Math#max(double, double)]
    MAX,
    /// bits that are set in all elements; integers only
    AND,
    /// bits that are set in any element; integers only
    OR,
    /// bits that are set in an odd number of elements; integers only
    XOR;

    @Override
    public int width(ElementType type) {
        Objects.requireNonNull(type, () -> "width of " + this + ": type is null");
        boolean isBitwise = this == AND || this == OR || this == XOR;
        if (isBitwise && (type == ElementType.FLOAT || type == ElementType.DOUBLE)) {
            throw new IllegalArgumentException(
                    this + " is no reduction of floating-point numbers; allowed are SUM, PRODUCT, MIN, MAX");
        }
        return type.byteSize();
    }
}
