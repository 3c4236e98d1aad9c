// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import org.jspecify.annotations.Nullable;

/// A channel's queues by their peers: a hash table in which each queue is its own key. A hash table, because each
/// operation looks up its queue, and most channels of a large job have few peers.
final class InFlightQueues {
    private @Nullable InFlightQueue[] table = new InFlightQueue[8];
    private int count;

    /// Returns the queue towards a peer, or null.
    @Nullable
    InFlightQueue of(int peer) {
        return table[slot(peer)];
    }

    /// Adds a queue towards a peer that has none.
    void add(InFlightQueue queue) {
        if (2 * ++count > table.length) {
            widen();
        }
        table[slot(queue.peer)] = queue;
    }

    /// Makes operations that are started from now on take effect after all earlier ones, towards each peer.
    void fence() {
        for (InFlightQueue queue : table) {
            if (queue != null) {
                queue.fence = queue.completedPrefix.started();
            }
        }
    }

    /// Returns the index of the queue towards a peer, or the index where it belongs.
    private int slot(int peer) {
        int slot = peer & (table.length - 1);
        for (InFlightQueue queue = table[slot]; queue != null && queue.peer != peer; queue = table[slot]) {
            slot = (slot + 1) & (table.length - 1);
        }
        return slot;
    }

    private void widen() {
        @Nullable InFlightQueue[] old = table;
        table = new InFlightQueue[2 * old.length];
        for (InFlightQueue queue : old) {
            if (queue != null) {
                table[slot(queue.peer)] = queue;
            }
        }
    }
}
