// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import coterie.spi.Channel;
import org.jspecify.annotations.Nullable;

/// A channel of a PE: it counts its operations, and has a history for each peer.
final class TrackedChannel {
    private final @Nullable PeerHistory[] histories;
    private final PeerHistory.Horizon horizon;
    private long count;

    /// Operations up to this number take effect before the next one.
    private long fence;

    TrackedChannel(int size, PeerHistory.Horizon horizon) {
        this.horizon = horizon;
        this.histories = new PeerHistory[size];
    }

    /// Returns the number of operations so far.
    long counted() {
        return count;
    }

    void count() {
        count++;
    }

    /// Returns the position of the latest operation.
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

    /// From time `at` of its clock on, the PE knows that operations up to a number have taken effect, towards one
    /// peer or [Channel#ALL_PEERS].
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
