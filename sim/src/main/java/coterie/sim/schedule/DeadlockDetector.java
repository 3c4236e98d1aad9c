// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

/// How a performance in which nobody can go on comes to be called a deadlock.
///
/// First its waits are looked at a few times more: they tell their status pages what they wait for, and may find out
/// that they can't end. Then it is quiet for a moment of real time, in which a thread that the program has started
/// may still come to the stage.
final class DeadlockDetector {
    private static final int LOOKS = 3;

    private int looks;
    private boolean moved;
    private boolean lookedOutside;

    /// Since when nobody has had the stage, by the real clock; 0 while somebody has.
    private volatile long since;

    /// Something has changed that may end waits.
    void moved() {
        moved = true;
    }

    /// Whether waits are to be looked at once more.
    boolean looksAgain() {
        if (moved) {
            lookedOutside = false;
            looks = 0;
            moved = false;
        }
        return looks++ < LOOKS;
    }

    /// Whether waits are to be looked at now that it has lasted long, before they are called a deadlock.
    boolean looksOutside() {
        since = 0;
        looks = LOOKS;
        lookedOutside = !lookedOutside;
        return lookedOutside;
    }

    void begin() {
        since = System.nanoTime();
    }

    void end() {
        since = 0;
    }

    /// Whether it has lasted so long.
    boolean lasts(long nanos) {
        long begin = since;
        return begin != 0 && System.nanoTime() - begin > nanos;
    }
}
