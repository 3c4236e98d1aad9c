// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How the elements of a team's members become one. Integers wrap.
public enum Reduction implements ReductionOperator {
    /// sum
    SUM,
    /// product
    PRODUCT,
    /// the least, by the type's order; of floating-point numbers as [Math#min(double, double)] has it
    MIN,
    /// the greatest, by the type's order; of floating-point numbers as [Math#max(double, double)] has it
    MAX,
    /// bits that all have; integers only
    AND,
    /// bits that any has; integers only
    OR,
    /// bits that an odd number has; integers only
    XOR;

    @Override
    public int width(ElementType type) {
        boolean isBitwise = this == AND || this == OR || this == XOR;
        if (isBitwise && (type == ElementType.FLOAT || type == ElementType.DOUBLE)) {
            throw new IllegalArgumentException(
                    this + " is no reduction of floating-point numbers; allowed are SUM, PRODUCT, MIN, MAX");
        }
        return type.byteSize();
    }
}
