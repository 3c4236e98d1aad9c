// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.sim.schedule.TimedEvent;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// The operations that a channel has in flight towards one peer. They take effect in any order that fences allow.
///
/// An operation that was started after a fence takes effect after all operations that were started before the
/// fence. If it arrives earlier, this queue holds it; no thread waits for it.
final class InFlightQueue {
    final SimChannel channel;
    final int peer;
    final CompletedPrefix completedPrefix = new CompletedPrefix();
    final Link link;

    /// Operations that are started from now on take effect after all those up to this number.
    long fence;

    /// Operations in flight.
    long outstanding;

    /// When the origin can know that no operation is in flight.
    long quietAt;

    private final Queue<Held> held = new ArrayDeque<>();
    private boolean releasing;

    private record Held(TimedEvent event, Message message) {}

    InFlightQueue(SimChannel channel, int peer, Link link) {
        this.channel = channel;
        this.peer = peer;
        this.link = link;
    }

    /// Handles the arrival of a message, or of a piece of it.
    void arrive(TimedEvent event, Message message, long from, long length) {
        if (message.after > completedPrefix.done()) {
            held.add(new Held(event, message));
            return;
        }
        channel.network.apply(message, from, length);
    }

    /// Notes that an operation has taken effect, and releases held operations that follow it.
    void finish(Message message) {
        completedPrefix.finish(message.number);
        if (releasing || held.isEmpty()) {
            return;
        }
        releasing = true;
        try {
            for (Held next = releasable(); next != null; next = releasable()) {
                channel.network.scheduler.happen(next.event);
            }
        } finally {
            releasing = false;
        }
    }

    private @Nullable Held releasable() {
        for (Iterator<Held> each = held.iterator(); each.hasNext(); ) {
            Held next = each.next();
            if (next.message.after <= completedPrefix.done()) {
                each.remove();
                return next;
            }
        }
        return null;
    }
}
