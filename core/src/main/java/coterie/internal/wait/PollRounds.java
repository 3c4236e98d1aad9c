// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.memory.StatusField;
import coterie.internal.memory.StatusPage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Counts rounds of polls: in each, every waiting thread of the PE has polled once, from begin to end, and its hooks.
///
/// A reader that finds the count two higher than before knows that each of them has polled in between, so that it
/// has seen whatever was there at the first look. A PE that does not get the processor, or that a debugger holds, does
/// not count.
final class PollRounds {
    private final StatusPage page;
    private final AtomicReference<@Nullable WaitSlot> slots;

    /// The round that is under way, from 1 on. The thread whose wait is on the page ends it.
    private volatile long round = 1;

    private final AtomicLong moves = new AtomicLong();

    PollRounds(StatusPage page, AtomicReference<@Nullable WaitSlot> slots) {
        this.page = page;
        this.slots = slots;
    }

    /// Returns the round that a poll which begins now belongs to.
    long begin() {
        return round;
    }

    /// Work of the PE has moved.
    void moved() {
        moves.incrementAndGet();
    }

    /// Ends the round if all waiting threads have polled in it, and tells the status page. The thread whose wait is on
    /// the page calls it.
    void publish() {
        page.set(StatusField.MOVES, moves.get());
        long current = round;
        for (WaitSlot slot = slots.get(); slot != null; slot = slot.next()) {
            if (slot.lacks(current)) {
                return;
            }
        }
        round = current + 1;
        page.set(StatusField.WAIT_ROUNDS, current + 1);
    }
}
