// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Channel;
import org.jspecify.annotations.Nullable;

/// A channel of a PE: its operations are counted, and go through a lane for each peer.
final class Outlet {
    private final @Nullable Lane[] lanes;
    private final Lane.Horizon horizon;
    private long count;

    /// Operations up to this number are ordered ahead of the next.
    private long fence;

    Outlet(int size, Lane.Horizon horizon) {
        this.horizon = horizon;
        this.lanes = new Lane[size];
    }

    /// Operations so far.
    long counted() {
        return count;
    }

    void count() {
        count++;
    }

    /// What the latest operation stands behind.
    Turn turn(int peer) {
        return new Turn(lane(peer), count, fence);
    }

    void fence() {
        fence = count;
    }

    private Lane lane(int peer) {
        Lane lane = lanes[peer];
        if (lane == null) {
            lane = new Lane(peer, horizon);
            lanes[peer] = lane;
        }
        return lane;
    }

    /// A PE knows that operations up to a number have taken effect, all or those towards one peer.
    void known(int peer, long upTo, int pe, long at) {
        if (peer != Channel.ALL_PEERS) {
            lane(peer).known(upTo, pe, at);
            return;
        }
        for (Lane lane : lanes) {
            if (lane != null) {
                lane.known(upTo, pe, at);
            }
        }
    }
}
