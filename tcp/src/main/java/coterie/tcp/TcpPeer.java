// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a PE knows of a peer with which it has a connection, or is about to have one. The engine's lock guards it.
final class TcpPeer {
    /// Where a peer is in its life, as this conduit knows it.
    enum State {
        /// operations go to it
        OPEN,
        /// it has closed its world in good order: no operation goes to it any more
        CLOSED,
        /// its connection has failed, or the job says that the PE has ended
        LOST
    }

    final int pe;
    final SendStream send;

    /// Null before both ends have proved the secret of the job, and after the connection has ended.
    @Nullable
    TcpLink link;

    /// Further connections, as many as both PEs want, also before they have begun.
    Rail[] rails = new Rail[0];

    /// The connections of a peer that has broken the protocol, until the peer is reported.
    final List<TcpLink> refused = new ArrayList<>();

    State state = State.OPEN;

    /// Whether the peer has not answered yet that this PE's world ends.
    boolean hasToRelease;

    /// Messages that this PE has sent and no answer follows, and how many of them are known to be applied.
    long posted;

    long acknowledged;

    /// Why and when the connection failed.
    String failure = "";

    long lostAtNanos;

    /// A ring of the operations that await answers, in their order: first, and number.
    private TcpOperation[] awaited = new TcpOperation[64];

    private int first;
    private int count;

    TcpPeer(int pe, SendStream send) {
        this.pe = pe;
        this.send = send;
    }

    boolean isOpen() {
        return state == State.OPEN;
    }

    /// Refers to the bytes that follow the latest message, on all connections if they are many.
    ///
    /// @param at the place of the message in the stage
    /// @param operation that ends when all of them have left, or null
    void refer(int at, MemorySegment source, long offset, long length, @Nullable TcpOperation operation) {
        int connections = length >= Rail.LEAST_BYTES && hasAllRails() ? 1 + rails.length : 1;
        long whole = Rail.sliceBytes(length, connections);
        TcpMessage.connections(send.stage(), at, connections);
        send.refer(source, offset, Math.min(whole, length), operation);
        for (int i = 1; i < connections; i++) {
            long slice = Rail.sliceBytes(length, connections, i);
            if (slice > 0) {
                rails[i - 1].send.refer(source, offset + i * whole, slice, operation);
            }
        }
    }

    private boolean hasAllRails() {
        for (Rail rail : rails) {
            if (rail.link == null) {
                return false;
            }
        }
        return true;
    }

    /// Returns whether bytes have yet to leave.
    boolean hasOutput() {
        TcpLink first = link;
        boolean hasOutput = !send.isEmpty() || (first != null && first.hasOutput());
        for (Rail rail : rails) {
            TcpLink its = rail.link;
            hasOutput |= its != null && its.hasOutput();
        }
        return hasOutput;
    }

    /// Returns the operations that await answers.
    int awaitedCount() {
        return count;
    }

    void await(TcpOperation operation) {
        if (count == awaited.length) {
            TcpOperation[] more = Arrays.copyOf(awaited, 2 * count);
            for (int i = 0; i < count; i++) {
                more[i] = awaited[first + i & count - 1];
            }
            awaited = more;
            first = 0;
        }
        operation.covers = posted;
        awaited[first + count & awaited.length - 1] = operation;
        count++;
    }

    /// Returns the operation whose answer comes next, or null.
    @Nullable
    TcpOperation firstAwaited() {
        return count == 0 ? null : awaited[first];
    }

    /// Returns the operation whose answer comes last, or null.
    @Nullable
    TcpOperation lastAwaited() {
        return count == 0 ? null : awaited[first + count - 1 & awaited.length - 1];
    }

    /// Takes the operation whose answer has come: so the messages before it have been applied.
    TcpOperation removeAwaited() {
        TcpOperation operation = awaited[first];
        first = first + 1 & awaited.length - 1;
        count--;
        acknowledged = Math.max(acknowledged, operation.covers);
        return operation;
    }
}
