// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How the elements of a team's members become one, for [coterie.collective.Collective]s that reduce. Answers to
/// `ucc_reduction_op_t`.
///
/// There are three kinds: the [Reduction]s, which all of a team's collectives know, the [ExtendedReduction]s, and
/// a program's own, each a [CustomReduction]. Members' elements are always reduced in the order of the members.
/// How they are grouped depends on the algorithm, so that an operator must be associative, as exactly as its
/// results are to be: sums of floating-point numbers have the same bits on all members and from run to run, but
/// not whichever algorithm serves.
public sealed interface ReductionOperator permits Reduction, ExtendedReduction, CustomReduction {
    /// Its name, for people; the same on all members.
    String name();

    /// Bytes that belong together in views of a type: of one element, of a pair, or of a program's own.
    ///
    /// @throws IllegalArgumentException if the operator has no meaning for the type, with the types that it has
    ///     one for
    int width(ElementType type);
}
