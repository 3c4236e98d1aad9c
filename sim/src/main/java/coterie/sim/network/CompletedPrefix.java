// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// The length of the prefix of a sequence of operations that has taken effect. Operations are numbered from 1 on,
/// and take effect in any order, usually in that of their numbers.
final class CompletedPrefix {
    private static final boolean[] NONE = {};
    private static final int MIN_LENGTH = 16;

    private long done;
    private long started;

    /// For each operation after the first gap, whether it has taken effect; a ring, by number. Empty before the
    /// first gap occurs: each channel has such a prefix for each peer, and an unused array would take room in the
    /// processor's caches.
    private boolean[] ahead = NONE;

    private int aheadCount;

    /// Starts an operation. Returns its number.
    long start() {
        return ++started;
    }

    /// Returns the number of the latest operation that was started.
    long started() {
        return started;
    }

    /// Returns the largest number up to which all operations have taken effect.
    long done() {
        return done;
    }

    /// Notes that an operation has taken effect.
    void finish(long number) {
        if (number == done + 1) {
            done = number;
            if (aheadCount > 0) {
                advance();
            }
        } else {
            if (number - done > ahead.length) {
                widen(number);
            }
            ahead[slot(number)] = true;
            aheadCount++;
        }
    }

    private void advance() {
        while (ahead[slot(done + 1)]) {
            done++;
            ahead[slot(done)] = false;
            aheadCount--;
        }
    }

    /// Returns the index of a number in the ring. The length is a power of two, and larger than the distance from
    /// the gap to any number in the ring.
    private int slot(long number) {
        return (int) number & (ahead.length - 1);
    }

    private void widen(long number) {
        boolean[] old = ahead;
        int length = Math.max(MIN_LENGTH, old.length);
        while (number - done > length) {
            length *= 2;
        }
        ahead = new boolean[length];
        for (long each = done + 1; each <= done + old.length; each++) {
            ahead[slot(each)] = old[(int) each & (old.length - 1)];
        }
    }
}
