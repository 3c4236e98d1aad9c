// SPDX-License-Identifier: Apache-2.0
package coterie;

/// A sum that is multiplied once by a factor, as to undo the scale of a loss. Floating-point numbers only, and not for
/// scans.
///
/// ```java
/// Collective.allReduce(new ScaledSum(1.0 / (lossScale * team.size())))
/// ```
///
/// The factor is a `float` for all elements but `double`s, and the product is rounded as elements are. 16-bit numbers
/// are added and multiplied as `float`s and rounded once, so that no sum overflows which fits a `float`. All members
/// pass the same factor.
/// @param factor any number
public record ScaledSum(double factor) implements ReductionOperator<ElementView> {
    @Override
    public String name() {
        return "SUM × " + factor;
    }

    @Override
    public int width(ElementType type) {
        return ExtendedReduction.width(this, type);
    }

    @Override
    public String toString() {
        return name();
    }
}
