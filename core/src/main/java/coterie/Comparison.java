// SPDX-License-Identifier: Apache-2.0
package coterie;

/// How a wait compares a word of symmetric memory (left) with the operand (right): as signed or unsigned numbers,
/// as the view is that the word is seen by.
///
/// Answers to `SHMEM_CMP_EQ` … `SHMEM_CMP_LE`.
public enum Comparison {
    /// equal
    EQ(0b010),
    /// not equal
    NE(0b101),
    /// greater than
    GT(0b100),
    /// greater than or equal
    GE(0b110),
    /// less than
    LT(0b001),
    /// less than or equal
    LE(0b011);

    /// Bit 0: holds for less, bit 1: for equal, bit 2: for greater. A mask in a polling loop beats a switch.
    private final int outcomes;

    Comparison(int outcomes) {
        this.outcomes = outcomes;
    }

    /// Whether `word` stands in this relation to `operand`.
    public boolean holds(long word, long operand) {
        int outcome = word < operand ? 0b001 : word == operand ? 0b010 : 0b100;
        return (outcomes & outcome) != 0;
    }
}
