// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import org.jspecify.annotations.Nullable;

/// The lanes of a channel, one for each peer that it has been used towards: few, where a PE has few neighbours.
final class Lanes {
    private @Nullable Lane[] table = new Lane[16];
    private int size;

    /// The lane of a peer, made where there is none.
    Lane of(int peer) {
        int at = slot(peer);
        Lane lane = table[at];
        if (lane == null) {
            lane = new Lane(peer);
            table[at] = lane;
            size++;
            if (2 * size > table.length) {
                grow();
            }
        }
        return lane;
    }

    /// The lane of a peer, or null.
    @Nullable
    Lane find(int peer) {
        return table[slot(peer)];
    }

    /// Where a peer's lane is, or belongs.
    private int slot(int peer) {
        int at = peer & table.length - 1;
        for (Lane lane = table[at]; lane != null && lane.peer != peer; lane = table[at]) {
            at = at + 1 & table.length - 1;
        }
        return at;
    }

    private void grow() {
        @Nullable Lane[] old = table;
        table = new Lane[2 * old.length];
        for (Lane lane : old) {
            if (lane != null) {
                table[slot(lane.peer)] = lane;
            }
        }
    }
}
