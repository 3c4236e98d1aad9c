// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Comparison;

/// The condition of [WorkStream#waitValue]: the word on the left, the operand on the right, both as unsigned
/// numbers of the view's width.
/// @counterpart `CUstreamWaitValue_flags`
public enum ValueCondition {
    /// The word is at least the operand. CUDA compares the signed difference instead, so that its counters may
    /// wrap; here the largest number is the end.
    GEQ,
    /// The word is the operand.
    EQ,
    /// The word and the operand have a bit in common.
    AND,
    /// The word and the operand together leave a bit unset.
    NOR;

    /// Returns a comparison that holds whenever this condition does.
    Comparison weaker() {
        return switch (this) {
            case GEQ -> Comparison.GE;
            case EQ -> Comparison.EQ;
            case AND, NOR -> Comparison.NE;
        };
    }

    /// Returns the operand of [#weaker].
    ///
    /// @param mask the bits of a word
    long weakerOperand(long operand, long mask) {
        return switch (this) {
            case GEQ, EQ -> operand & mask;
            case AND -> 0;
            case NOR -> mask;
        };
    }

    /// @param word and `operand` have the bits of `mask` alone
    boolean holds(long word, long operand, long mask) {
        return switch (this) {
            case GEQ -> Long.compareUnsigned(word, operand) >= 0;
            case EQ -> word == operand;
            case AND -> (word & operand) != 0;
            case NOR -> (word | operand) != mask;
        };
    }
}
