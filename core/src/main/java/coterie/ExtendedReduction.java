// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Reductions that do more than combine two elements to one.
/// @counterpart `ucc_reduction_op_t`: avg, minloc, maxloc
public enum ExtendedReduction implements ReductionOperator<ElementView> {
    /// The mean of the members' elements: their sum, divided once at the end. Floating-point numbers only, and not
    /// for scans.
    AVERAGE,
    /// The pair with the smallest value, of pairs of elements: a value, then its location. For equal values the
    /// smallest location wins. Any type, in even counts, and not for exclusive scans. Floating-point numbers have
    /// the order of [Math#min(double, double)]: a NaN wins.
    MIN_LOCATION,
    /// The pair with the largest value, in the order of [Math#max(double, double)]; otherwise as [#MIN_LOCATION].
    MAX_LOCATION;

    @Override
    public int width(ElementType type) {
        return switch (this) {
            case AVERAGE -> width(this, type);
            case MIN_LOCATION, MAX_LOCATION -> 2 * Reduction.width(this, type);
        };
    }

    /// Returns the bytes of an element of a floating-point type that has reductions.
    static int width(ReductionOperator<?> operator, ElementType type) {
        int width = Reduction.width(operator, type);
        if (!type.isFloatingPoint()) {
            throw new IllegalArgumentException(
                    operator.name() + " is no reduction of " + type + "; allowed are HALF, BFLOAT16, FLOAT and DOUBLE");
        }
        return width;
    }
}
