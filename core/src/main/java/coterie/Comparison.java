// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The comparison of a wait: a word of symmetric memory on the left, the operand on the right; signed or unsigned
/// as the view is.
/// @counterpart `SHMEM_CMP_EQ`, `_NE`, `_GT`, `_GE`, `_LT`, `_LE`
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

    /// Returns whether the comparison of `word` with `operand` holds.
    public boolean holds(long word, long operand) {
        int outcome = word < operand ? 0b001 : word == operand ? 0b010 : 0b100;
        return (outcomes & outcome) != 0;
    }
}
