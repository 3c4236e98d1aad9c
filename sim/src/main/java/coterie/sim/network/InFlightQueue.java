// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import coterie.sim.schedule.TimedEvent;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// What a channel has under way towards one peer, and in which order it takes effect: any, but for fences.
///
/// The one rule: what was started behind a fence waits at its target until all that was started before has taken
/// effect there. It is held, and nobody waits for it.
final class InFlightQueue {
    final SimChannel channel;
    final int peer;
    final CompletedPrefix completedPrefix = new CompletedPrefix();
    final Link link;

    /// What is started from now on takes effect behind those up to this number.
    long fence;

    /// Operations that are under way.
    long outstanding;

    /// When the origin can know that none is.
    long quietAt;

    private final Queue<Held> held = new ArrayDeque<>();
    private boolean releasing;

    private record Held(TimedEvent event, Message message) {}

    InFlightQueue(SimChannel channel, int peer, Link link) {
        this.channel = channel;
        this.peer = peer;
        this.link = link;
    }

    /// A message, or a piece of it, has come.
    void arrive(TimedEvent event, Message message, long from, long length) {
        if (message.after > completedPrefix.done()) {
            held.add(new Held(event, message));
            return;
        }
        channel.network.apply(message, from, length);
    }

    /// An operation has taken effect; lets go those that have waited for it.
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
