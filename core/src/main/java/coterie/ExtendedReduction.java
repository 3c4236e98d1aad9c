// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.util.Objects;

/// Reductions of [coterie.collective.Request]s and of [ViewCollectives] over views, besides [Reduction].
/// @counterpart `ucc_reduction_op_t`: avg, land, lor, lxor, minloc, maxloc
public enum ExtendedReduction implements ReductionOperator {
    /// The mean of the members' elements: their sum, divided once at the end. Floating-point numbers only, and not
    /// for scans.
    AVERAGE,
    /// 1 if the elements of all members differ from 0, else 0; integers only
    LOGICAL_AND,
    /// 1 if the element of any member differs from 0, else 0; integers only
    LOGICAL_OR,
    /// 1 if the elements of an odd number of members differ from 0, else 0; integers only
    LOGICAL_XOR,
    /// The pair with the smallest value, of pairs of elements: a value, then its location. For equal values the
    /// smallest location wins. Any type, in even counts, and not for exclusive scans. Floating-point numbers have
    /// the order of [Math#min(double, double)]: a NaN wins.
    MIN_LOCATION,
    /// The pair with the largest value, in the order of [Math#max(double, double)]; otherwise as [#MIN_LOCATION].
    MAX_LOCATION;

    @Override
    public int width(ElementType type) {
        Objects.requireNonNull(type, () -> "width of " + this + ": type is null");
        boolean isFloating = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        return switch (this) {
            case AVERAGE -> {
                if (!isFloating) {
                    throw new IllegalArgumentException(
                            this + " is no reduction of " + type + "; allowed are FLOAT and DOUBLE");
                }
                yield type.byteSize();
            }
            case LOGICAL_AND, LOGICAL_OR, LOGICAL_XOR -> {
                if (isFloating) {
                    throw new IllegalArgumentException(this + " is no reduction of " + type + "; allowed are integers");
                }
                yield type.byteSize();
            }
            case MIN_LOCATION, MAX_LOCATION -> 2 * type.byteSize();
        };
    }
}
