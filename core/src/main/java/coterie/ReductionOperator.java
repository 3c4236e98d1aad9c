// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The operation of a collective that reduces: a [Reduction], an [IntegerReduction], an [ExtendedReduction], a
/// [ScaledSum], or a program's own [CustomReduction].
///
/// Its type parameter keeps integers' operations from other elements:
///
/// ```java
/// team.allReduce(IntegerReduction.AND, masks); // long[] masks
/// team.allReduce(IntegerReduction.AND, rates); // double[] rates: does not compile
/// ```
///
/// Requests, and blocking collectives that run as requests, reduce the elements in the order of the members.
/// The algorithm determines the grouping, so an operator must be associative to the precision that the program
/// needs: a floating-point sum has the same bits on all members and in every run, but other algorithms may give
/// other bits.
/// @counterpart `ucc_reduction_op_t`
/// @param <V> the views whose elements it combines
public sealed interface ReductionOperator<V extends ElementView>
        permits Reduction, IntegerReduction, ExtendedReduction, ScaledSum, CustomReduction {
    /// Returns the name, for messages; the same on all members.
    String name();

    /// Returns the bytes that belong together in views of a type: of an element, of a pair, or of an element of
    /// the program's.
    ///
    /// @throws IllegalArgumentException if the operator does not have the type; the message has the types that
    ///     it has
    int width(ElementType type);
}
