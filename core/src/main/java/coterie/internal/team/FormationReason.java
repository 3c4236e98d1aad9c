// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import java.util.List;

/// The reason for which a team is not formed, as one word of its slot that all participants read:
///
/// ```
///  bit 63            32             8        0
///      │ PE          │ number       │ reason │     never 0
/// ```
enum FormationReason {
    /// the word is 0
    NONE,
    /// the PE passes another size than the first participant; the number is that size
    SIZE,
    /// the PE passes a number that another participant has passed before
    NUMBER,
    /// the PE's call has timed out
    TIME,
    /// the team needs a PE that has failed; the number is that PE
    LOST,
    /// the PE has no memory for the team's lines
    MEMORY;

    private static final List<FormationReason> VALUES = List.of(values());

    long word(int number, int pe) {
        return ordinal() | (long) number << 8 | (long) pe << 32;
    }

    static FormationReason of(long word) {
        return VALUES.get((int) word & 0xFF);
    }

    static int number(long word) {
        return (int) (word >>> 8) & 0xFF_FFFF;
    }

    static int pe(long word) {
        return (int) (word >>> 32);
    }
}
