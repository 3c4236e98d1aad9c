// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.Arrays;

/// How much of every PE's past was known somewhere at a moment: a vector clock. Immutable; the pasts of one PE
/// share what they know of the others until that grows.
final class VectorClock {
    private final int pe;
    private final long clock;

    /// The entry of `pe` itself does not count.
    private final long[] others;

    /// @param clock how much is known of `pe`
    /// @param others how much is known of each other PE; not to be changed any more
    VectorClock(int pe, long clock, long[] others) {
        this.pe = pe;
        this.clock = clock;
        this.others = others;
    }

    static VectorClock beginning(int pe, int size) {
        return new VectorClock(pe, 0, new long[size]);
    }

    /// How much is known of a PE.
    long of(int other) {
        return other == pe ? clock : others[other];
    }

    /// Whether what a PE did when its clock showed `at` is known.
    boolean reaches(int other, long at) {
        return of(other) >= at;
    }

    /// This, as the PE knows it whose past it is, when its clock has moved.
    VectorClock at(long later) {
        return new VectorClock(pe, later, others);
    }

    /// What is known where both are.
    VectorClock join(VectorClock other) {
        long[] joined = null;
        for (int each = 0; each < others.length; each++) {
            if (each != pe && other.of(each) > others[each]) {
                joined = joined == null ? Arrays.copyOf(others, others.length) : joined;
                joined[each] = other.of(each);
            }
        }
        long most = Math.max(clock, other.of(pe));
        return joined == null && most == clock ? this : new VectorClock(pe, most, joined == null ? others : joined);
    }
}
