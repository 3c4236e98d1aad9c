// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Channel;
import org.jspecify.annotations.Nullable;

/// A channel of a PE: its operations are counted, and go through a lane for each peer.
final class TrackedChannel {
    private final @Nullable PeerHistory[] histories;
    private final PeerHistory.Horizon horizon;
    private long count;

    /// Operations up to this number are ordered ahead of the next.
    private long fence;

    TrackedChannel(int size, PeerHistory.Horizon horizon) {
        this.horizon = horizon;
        this.histories = new PeerHistory[size];
    }

    /// Operations so far.
    long counted() {
        return count;
    }

    void count() {
        count++;
    }

    /// What the latest operation stands behind.
    ChannelPosition position(int peer) {
        return new ChannelPosition(history(peer), count, fence);
    }

    void fence() {
        fence = count;
    }

    private PeerHistory history(int peer) {
        PeerHistory history = histories[peer];
        if (history == null) {
            history = new PeerHistory(peer, horizon);
            histories[peer] = history;
        }
        return history;
    }

    /// A PE knows that operations up to a number have taken effect, all or those towards one peer.
    void known(int peer, long upTo, int pe, long at) {
        if (peer != Channel.ALL_PEERS) {
            history(peer).known(upTo, pe, at);
            return;
        }
        for (PeerHistory history : histories) {
            if (history != null) {
                history.known(upTo, pe, at);
            }
        }
    }
}
