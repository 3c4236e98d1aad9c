// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// How far a sequence of operations has taken effect without a gap: operations are numbered from 1 on, and take
/// effect in any order.
final class Cursor {
    private long done;
    private long started;

    /// Whether those beyond the gap have; a ring.
    private boolean[] ahead = new boolean[16];

    /// Begins an operation; returns its number.
    long start() {
        started++;
        if (started - done > ahead.length) {
            grow();
        }
        return started;
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
        int mask = ahead.length - 1;
        ahead[(int) number & mask] = true;
        while (ahead[(int) (done + 1) & mask] && done < started) {
            done++;
            ahead[(int) done & mask] = false;
        }
    }

    private void grow() {
        boolean[] wider = new boolean[2 * ahead.length];
        for (long number = done + 1; number < started; number++) {
            wider[(int) number & (wider.length - 1)] = ahead[(int) number & (ahead.length - 1)];
        }
        ahead = wider;
    }
}
