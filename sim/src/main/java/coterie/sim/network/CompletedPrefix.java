// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// How far a sequence of operations has taken effect without a gap: operations are numbered from 1 on, and take
/// effect in any order, but mostly in their own.
final class CompletedPrefix {
    private static final boolean[] NONE = {};
    private static final int LEAST = 16;

    private long done;
    private long started;

    /// Whether those beyond the gap have; a ring, by their numbers. Nothing before the first gap: a channel has a
    /// cursor for each peer, and what it does not touch is not in the processor's caches either.
    private boolean[] ahead = NONE;

    private int beyond;

    /// Begins an operation; returns its number.
    long start() {
        return ++started;
    }

    /// Number of the latest operation that was begun.
    long started() {
        return started;
    }

    /// All operations up to this number have taken effect.
    long done() {
        return done;
    }

    /// An operation has taken effect.
    void finish(long number) {
        if (number == done + 1) {
            done = number;
            if (beyond > 0) {
                advance();
            }
        } else {
            if (number - done > ahead.length) {
                widen(number);
            }
            ahead[place(number)] = true;
            beyond++;
        }
    }

    private void advance() {
        while (ahead[place(done + 1)]) {
            done++;
            ahead[place(done)] = false;
            beyond--;
        }
    }

    /// A power of two is the length, and more than what lies between the gap and any number in the ring.
    private int place(long number) {
        return (int) number & (ahead.length - 1);
    }

    private void widen(long number) {
        boolean[] old = ahead;
        int length = Math.max(LEAST, old.length);
        while (number - done > length) {
            length *= 2;
        }
        ahead = new boolean[length];
        for (long each = done + 1; each <= done + old.length; each++) {
            ahead[place(each)] = old[(int) each & (old.length - 1)];
        }
    }
}
