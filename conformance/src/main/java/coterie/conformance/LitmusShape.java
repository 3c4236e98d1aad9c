// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

/// A litmus test: what each of two PEs does in a round, and which outcomes may be.
///
/// @param name for people
/// @param zero what PE 0 does
/// @param one what PE 1 does
/// @param last what is there once both are done; both PEs look
/// @param law what a round may end with
record LitmusShape(String name, Step zero, Step one, Step last, Law law) {

    /// One PE's part of a round.
    @FunctionalInterface
    interface Step {
        /// Reads and writes the words of a cell.
        ///
        /// @param cell index of the cell's first word
        /// @param base multiple of 4, the next one in each round of the cell
        /// @return what was seen, in `[0, 16)`
        int run(long cell, long base);
    }

    /// Says whether a round may end so.
    @FunctionalInterface
    interface Law {
        boolean allows(int zero, int one, int last);
    }

    /// A test in which only what the PEs see matters.
    LitmusShape(String name, Step zero, Step one, Law law) {
        this(name, zero, one, (cell, base) -> 0, law);
    }

    /// What a word that was read tells: `base + 1`, `+ 2` or `+ 3` is 1, 2 or 3, and whatever earlier rounds have
    /// left is 0.
    static int seen(long word, long base) {
        return word > base ? (int) (word - base) : 0;
    }
}
