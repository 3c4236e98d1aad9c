// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a PE knows of a peer, and the endpoint to it. The worker's lock guards it.
final class UcxPeer {
    /// Where a peer is in its life, as this conduit knows it.
    enum State {
        /// operations go to it
        OPEN,
        /// it has closed its world in good order: no operation goes to it any more
        CLOSED,
        /// its endpoint has failed, or the job says that the PE has ended
        LOST
    }

    final int pe;

    /// Address of its region SYNC, in its process.
    final long syncBase;

    /// UCX's address of its worker.
    final byte[] workerAddress;

    /// By which a PE of the same node maps its region SYNC.
    final byte[] sharedSync;

    /// Address of its heap, and the packed key; null before the heap exists.
    long heapBase;

    byte @Nullable [] heapKey;

    /// UCX's endpoint and unpacked key; 0 until the first use.
    long endpoint;

    long key;

    State state = State.OPEN;

    /// Whether one of the two has sent something to the other.
    boolean isContact;

    /// Whether the peer has not answered yet that this PE's world ends.
    boolean hasToRelease;

    /// Counted messages that this PE has sent to the peer, and those that the peer is known to have applied.
    long posted;

    long acknowledged;

    /// Counted messages that the peer must have applied before those that this PE sends from now on.
    long ordered;

    /// Puts of UCX that this PE has started, and those that are known to be complete at the peer.
    long puts;

    long flushed;

    /// Counted messages of the peer that this PE has applied.
    long applied;

    /// Why and when the endpoint failed; whether the job knows.
    String failure = "";

    long lostAtNanos;
    boolean isReported;

    /// Messages of the peer that have arrived after it was lost, and were not applied.
    long dropped;

    /// Operations that a quiet waits for, in the order of their begin, and quiets that wait for them.
    @Nullable
    UcxOperation first;

    @Nullable
    UcxOperation last;

    /// Quiets that wait for the peer's answer.
    final List<UcxOperation> quiets = new ArrayList<>();

    UcxPeer(int pe, long syncBase, byte[] workerAddress, byte[] sharedSync) {
        this.pe = pe;
        this.syncBase = syncBase;
        this.workerAddress = workerAddress;
        this.sharedSync = sharedSync;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /// Returns whether messages to the peer may arrive.
    boolean isReachable() {
        return state != State.LOST;
    }

    /// Returns whether a quiet has something to complete.
    boolean isDirty() {
        return isOpen() && (first != null || posted > acknowledged || puts > flushed);
    }

    /// Returns whether a put must travel as a message, which alone the peer applies behind others.
    boolean ordersMessages() {
        return ordered > acknowledged;
    }

    void add(UcxOperation operation) {
        operation.isListed = true;
        operation.next = null;
        operation.previous = last;
        if (last == null) {
            first = operation;
        } else {
            last.next = operation;
        }
        last = operation;
    }

    void remove(UcxOperation operation) {
        if (!operation.isListed) {
            return;
        }
        operation.isListed = false;
        UcxOperation before = operation.previous;
        UcxOperation behind = operation.next;
        if (before == null) {
            first = behind;
        } else {
            before.next = behind;
        }
        if (behind == null) {
            last = before;
        } else {
            behind.previous = before;
        }
        operation.next = null;
        operation.previous = null;
    }
}
