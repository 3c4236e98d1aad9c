// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import org.jspecify.annotations.Nullable;

/// A channel's lanes by their peers: a hash table in which a lane is its own key. Each operation has a look into
/// it, and most channels of a large job have few peers.
final class Lanes {
    private @Nullable Lane[] table = new Lane[8];
    private int count;

    /// The lane towards a peer, or null.
    @Nullable
    Lane of(int peer) {
        return table[place(peer)];
    }

    /// Adds a lane towards a peer that has none.
    void add(Lane lane) {
        if (2 * ++count > table.length) {
            widen();
        }
        table[place(lane.peer)] = lane;
    }

    /// What is started from now on takes effect behind what was started before, towards each peer.
    void fence() {
        for (Lane lane : table) {
            if (lane != null) {
                lane.fence = lane.cursor.started();
            }
        }
    }

    /// Where the lane towards a peer is, or belongs.
    private int place(int peer) {
        int place = peer & (table.length - 1);
        for (Lane lane = table[place]; lane != null && lane.peer != peer; lane = table[place]) {
            place = (place + 1) & (table.length - 1);
        }
        return place;
    }

    private void widen() {
        @Nullable Lane[] old = table;
        table = new Lane[2 * old.length];
        for (Lane lane : old) {
            if (lane != null) {
                table[place(lane.peer)] = lane;
            }
        }
    }
}
