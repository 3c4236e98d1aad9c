// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import coterie.spi.Channel;
import org.jspecify.annotations.Nullable;

/// The order of a channel towards one peer: what has been started there is complete before anything that a fence
/// parts from it, and what is held back waits here, first come first.
final class PeerQueue {
    final int peer;

    /// The next lane that holds something back.
    @Nullable
    PeerQueue next;

    private @Nullable DeferredOperation first;
    private @Nullable DeferredOperation last;

    /// Fences that came before what was started last.
    private long fences;

    /// Whether something has been started since all was known to be complete.
    private boolean dirty;

    /// The ticket of all that was started, while something behind a fence waits for it; else 0.
    private long before;

    PeerQueue(int peer) {
        this.peer = peer;
    }

    boolean isEmpty() {
        return first == null;
    }

    /// Whether what comes after so many fences can be started; begins to complete what is in its way.
    boolean isClear(Channel below, long since) {
        if (since == fences) {
            return true;
        }
        if (dirty) {
            if (before == 0) {
                before = OrderedChannel.checked(below.quiet(peer));
            }
            if (before != 0 && !below.isDone(before)) {
                return false;
            }
            before = 0;
            dirty = false;
        }
        fences = since;
        return true;
    }

    /// Something is started.
    void started() {
        dirty = true;
    }

    void add(DeferredOperation operation) {
        operation.next = null;
        if (last == null) {
            first = operation;
        } else {
            last.next = operation;
        }
        last = operation;
    }

    /// Whether an operation that puts so many bytes can be started after so many fences; begins to complete what is
    /// in its way, unless the channel below orders it behind that.
    boolean isClear(Channel below, long since, long bytes) {
        return (since != fences
                        && dirty
                        && before == 0
                        && bytes != DeferredOperation.FETCHES
                        && below.orders(peer, bytes))
                || isClear(below, since);
    }

    /// Takes out the first that can be started now, and the marks; null if there is none.
    @Nullable
    DeferredOperation takeReady(Channel below) {
        DeferredOperation ready = first;
        if (ready == null
                || (ready.kind != DeferredOperation.Kind.MARK
                        && !(isClear(below, ready.fences, ready.putBytes()) && below.accepts(peer)))) {
            return null;
        }
        first = ready.next;
        if (first == null) {
            last = null;
        }
        return ready;
    }
}
