// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How a wait compares a word of symmetric memory (left) with the operand (right). Comparisons are signed.
///
/// Answers to `SHMEM_CMP_EQ` … `SHMEM_CMP_LE`.
public enum Comparison {
    /// equal
    EQ,
    /// not equal
    NE,
    /// greater than
    GT,
    /// greater than or equal
    GE,
    /// less than
    LT,
    /// less than or equal
    LE;

    /// Whether `word` stands in this relation to `operand`.
    public boolean holds(long word, long operand) {
        return switch (this) {
            case EQ -> word == operand;
            case NE -> word != operand;
            case GT -> word > operand;
            case GE -> word >= operand;
            case LT -> word < operand;
            case LE -> word <= operand;
        };
    }
}
