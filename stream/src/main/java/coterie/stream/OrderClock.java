// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.Arrays;

/// A vector clock: for each stream, how many of its operations happen before something.
final class OrderClock {
    private long[] positions = {};

    /// Returns how many operations of a stream happen before.
    long at(int slot) {
        return slot < positions.length ? positions[slot] : 0;
    }

    /// Puts the first `position` operations of a stream before.
    void join(int slot, long position) {
        if (slot >= positions.length) {
            positions = Arrays.copyOf(positions, Math.max(slot + 1, 2 * positions.length));
        }
        positions[slot] = Math.max(positions[slot], position);
    }

    /// Puts all that happens before another clock before this one.
    void join(OrderClock other) {
        if (positions.length < other.positions.length) {
            positions = Arrays.copyOf(positions, other.positions.length);
        }
        for (int slot = 0; slot < other.positions.length; slot++) {
            positions[slot] = Math.max(positions[slot], other.positions[slot]);
        }
    }

    /// Becomes equal to another clock; allocates only to grow.
    void set(OrderClock other) {
        Arrays.fill(positions, 0);
        join(other);
    }
}
