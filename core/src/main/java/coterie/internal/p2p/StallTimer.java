// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.wait.WaitingRoom;

/// How long a run waits before it tells others that it does: longer than a member waits that is in step with them.
final class StallTimer {
    /// Polls that find nothing: some microseconds.
    private static final int POLLS = 64;

    /// The time where it is polled seldom, as a waiter yields to others between two polls.
    private static final long NANOS = 500_000;

    private int polls;
    private long since;

    /// Something has moved.
    void renew() {
        polls = 0;
    }

    /// Takes note of a poll that found nothing, and says whether that is enough.
    boolean hasElapsed(WaitingRoom room) {
        polls++;
        if (polls < POLLS && room.isOversubscribed()) {
            long now = room.nanoTime();
            since = polls == 1 ? now : since;
            polls = now - since >= NANOS ? POLLS : polls;
        }
        return polls >= POLLS;
    }

    /// Whether it is time to tell others, for the first time or again.
    boolean isDue() {
        return polls % POLLS == 0;
    }
}
