// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.CoterieException;
import coterie.spi.PeJob;
import coterie.spi.PeState;
import coterie.ucx.libucp.NativeMemory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The peers of a PE, and the ends of those that are lost: UCX reports a failed endpoint, the job a PE that
/// has ended. All methods require the worker's lock.
final class UcxPeers {
    /// Time for a launcher to report how a PE has ended, before this conduit reports a failed endpoint.
    private static final long GRACE_NANOS = 1_000_000_000L;

    private final PeJob job;
    private final Addresses addresses;
    private final @Nullable UcxPeer[] peers;

    /// Lost peers whose endpoints are not closed yet, and those that the job does not know yet.
    private final List<UcxPeer> toRetire = new ArrayList<>();

    private final List<UcxPeer> unreported = new ArrayList<>();
    private long epoch;

    /// Finds the addresses that a peer has published.
    interface Addresses {
        /// Returns a peer with its addresses.
        ///
        /// @throws CoterieException if the peer has published none
        UcxPeer peer(int pe);
    }

    UcxPeers(PeJob job, Addresses addresses) {
        this.job = job;
        this.addresses = addresses;
        this.peers = new UcxPeer[job.size()];
    }

    /// Returns a peer with its addresses.
    UcxPeer get(int pe) {
        UcxPeer known = peers[pe];
        if (known == null) {
            known = addresses.peer(pe);
            peers[pe] = known;
            if (job.state(pe).hasTerminated()) {
                lose(known, "it has ended");
            }
        }
        return known;
    }

    /// Returns the peers by number; those that nothing has asked for are null.
    @Nullable
    UcxPeer[] all() {
        return peers;
    }

    /// Returns whether the job does not know yet that a peer is lost.
    boolean hasUnreported() {
        return !unreported.isEmpty();
    }

    /// Takes note that a peer can't be reached any more. If it has closed its world before, the job needs no
    /// report.
    void lose(UcxPeer peer, String why) {
        if (peer.isOpen()) {
            peer.failure = why;
            peer.lostAtNanos = System.nanoTime();
            unreported.add(peer);
        }
        peer.state = UcxPeer.State.LOST;
        toRetire.add(peer);
    }

    /// Takes note that a peer has closed its world in good order. Its endpoint stays, since UCX may still
    /// have to answer the peer's.
    void closed(UcxPeer peer) {
        if (peer.isOpen()) {
            peer.state = UcxPeer.State.CLOSED;
        }
    }

    /// Looks for PEs that have ended, closes the endpoints to lost ones, and reports these.
    void check(UcxWorker worker) {
        long now = NativeMemory.getLongAcquire(job.epochAddress());
        if (now != epoch) {
            epoch = now;
            loseTerminated();
        }
        for (int i = 0; i < toRetire.size(); i++) {
            worker.retire(toRetire.get(i));
        }
        toRetire.clear();
        if (!unreported.isEmpty()) {
            unreported.removeIf(this::report);
        }
    }

    private void loseTerminated() {
        for (UcxPeer peer : peers) {
            if (peer != null && peer.isOpen() && job.state(peer.pe).hasTerminated()) {
                lose(peer, "it has ended");
            }
        }
    }

    /// Reports a lost peer to its job, unless the job knows its end, or it has closed its world. Returns
    /// false if it is too early for that.
    private boolean report(UcxPeer peer) {
        PeState state = job.state(peer.pe);
        if (state.hasTerminated() || state == PeState.CLOSED) {
            return true;
        }
        if (System.nanoTime() - peer.lostAtNanos < GRACE_NANOS) {
            return false;
        }
        job.failed(peer.pe, "its UCX endpoint failed: " + peer.failure);
        return true;
    }
}
