// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import org.jspecify.annotations.Nullable;

/// A channel's lanes by their peers: a hash table in which a lane is its own key. Each operation has a look into
/// it, and most channels of a large job have few peers.
final class InFlightQueues {
    private @Nullable InFlightQueue[] table = new InFlightQueue[8];
    private int count;

    /// The lane towards a peer, or null.
    @Nullable
    InFlightQueue of(int peer) {
        return table[place(peer)];
    }

    /// Adds a lane towards a peer that has none.
    void add(InFlightQueue queue) {
        if (2 * ++count > table.length) {
            widen();
        }
        table[place(queue.peer)] = queue;
    }

    /// What is started from now on takes effect behind what was started before, towards each peer.
    void fence() {
        for (InFlightQueue queue : table) {
            if (queue != null) {
                queue.fence = queue.completedPrefix.started();
            }
        }
    }

    /// Where the lane towards a peer is, or belongs.
    private int place(int peer) {
        int place = peer & (table.length - 1);
        for (InFlightQueue queue = table[place]; queue != null && queue.peer != peer; queue = table[place]) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }

    private void widen() {
        @Nullable InFlightQueue[] old = table;
        table = new InFlightQueue[2 * old.length];
        for (InFlightQueue queue : old) {
            if (queue != null) {
                table[place(queue.peer)] = queue;
            }
        }
    }
}
