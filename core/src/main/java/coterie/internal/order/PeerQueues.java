// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import org.jspecify.annotations.Nullable;

/// The lanes of a channel, one for each peer that it has been used towards: few, where a PE has few neighbours.
final class PeerQueues {
    private @Nullable PeerQueue[] table = new PeerQueue[16];
    private int size;

    /// The lane of a peer, made where there is none.
    PeerQueue of(int peer) {
        int at = slot(peer);
        PeerQueue queue = table[at];
        if (queue == null) {
            queue = new PeerQueue(peer);
            table[at] = queue;
            size++;
            if (2 * size > table.length) {
                grow();
            }
        }
        return queue;
    }

    /// The lane of a peer, or null.
    @Nullable
    PeerQueue find(int peer) {
        return table[slot(peer)];
    }

    /// Where a peer's lane is, or belongs.
    private int slot(int peer) {
        int at = peer & table.length - 1;
        for (PeerQueue queue = table[at]; queue != null && queue.peer != peer; queue = table[at]) {
            at = at + 1 & table.length - 1;
        }
        return at;
    }

    private void grow() {
        @Nullable PeerQueue[] old = table;
        table = new PeerQueue[2 * old.length];
        for (PeerQueue queue : old) {
            if (queue != null) {
                table[slot(queue.peer)] = queue;
            }
        }
    }
}
