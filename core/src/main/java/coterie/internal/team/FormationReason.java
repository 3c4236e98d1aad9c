// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import java.util.List;

/// Why a team is not formed, as one word of its slot says it to all:
///
/// ```
///  bit 63            32             8        0
///      │ PE          │ number       │ reason │     never 0
/// ```
enum FormationReason {
    /// 0 is no reason.
    NONE,
    /// the PE brings another size; the number is that size
    SIZE,
    /// the PE brings a number that another has brought
    NUMBER,
    /// the PE's time was over
    TIME,
    /// the number is a PE that has failed and is needed
    LOST,
    /// the PE has no memory
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
