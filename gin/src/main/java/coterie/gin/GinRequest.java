// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// A flush towards one peer that [Gin#flushAsync] has begun. It stays complete, and any thread may await it, any
/// number of times.
/// @counterpart `ncclGinRequest_t`
public final class GinRequest {
    private final GinContext context;
    private final int peer;

    /// operations of the context towards the peer that were posted
    private final long posted;

    GinRequest(GinContext context, int peer, long posted) {
        this.context = context;
        this.peer = peer;
        this.posted = posted;
    }

    GinContext context() {
        return context;
    }

    int peer() {
        return peer;
    }

    boolean isComplete() {
        GinPeerQueue queue = context.queue(peer);
        return queue == null || queue.hasCompleted(posted);
    }
}
