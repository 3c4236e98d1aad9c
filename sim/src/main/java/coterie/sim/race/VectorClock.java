// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import java.util.Arrays;

/// A vector clock: how much of each PE's past is known at one point. Immutable; the clocks of one PE share the
/// array of the other PEs' entries until it changes.
final class VectorClock {
    private final int pe;
    private final long clock;

    /// By PE; the entry of `pe` itself has no meaning.
    private final long[] others;

    /// @param clock how much is known of `pe`
    /// @param others how much is known of each other PE; the caller must not change the array any more
    VectorClock(int pe, long clock, long[] others) {
        this.pe = pe;
        this.clock = clock;
        this.others = others;
    }

    static VectorClock beginning(int pe, int size) {
        return new VectorClock(pe, 0, new long[size]);
    }

    /// Returns how much is known of a PE.
    long of(int other) {
        return other == pe ? clock : others[other];
    }

    /// Returns whether a PE's accesses at its time `at` are known.
    boolean reaches(int other, long at) {
        return of(other) >= at;
    }

    /// Returns this clock with the entry of its own PE advanced to `later`.
    VectorClock at(long later) {
        return new VectorClock(pe, later, others);
    }

    /// Returns the entrywise maximum of both clocks.
    VectorClock join(VectorClock other) {
        long[] joined = null;
        for (int each = 0; each < others.length; each++) {
            if (each != pe && other.of(each) > others[each]) {
                joined = joined == null ? Arrays.copyOf(others, others.length) : joined;
                joined[each] = other.of(each);
            }
        }
        long max = Math.max(clock, other.of(pe));
        return joined == null && max == clock ? this : new VectorClock(pe, max, joined == null ? others : joined);
    }
}
