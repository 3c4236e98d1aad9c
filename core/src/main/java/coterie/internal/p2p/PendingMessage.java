// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import coterie.internal.plan.Action;
import coterie.internal.plan.PlanBuffer;
import org.jspecify.annotations.Nullable;

/// A message of a plan, and how far it is in the run.
final class PendingMessage {
    final boolean isSent;
    final int member;
    final PlanBuffer buffer;
    final long offset;
    final long length;

    /// Whether it tells where buffers are, and has no bytes of a buffer.
    private final boolean isPlace;

    /// Whom it goes to or comes from, from the begin of its step on.
    private @Nullable PeerConnection connection;

    private long number;

    /// Whether it has been put, and is under way until the ticket is done.
    private boolean isPut;

    private long ticket;

    PendingMessage(Action.Message message) {
        this.isSent = message instanceof Action.Send || message instanceof Action.Publish;
        this.isPlace = message instanceof Action.Publish || message instanceof Action.Learn;
        this.member = message.member();
        this.buffer = message.data().buffer();
        this.offset = message.data().offset();
        this.length = isPlace ? BufferPlaces.BYTES : message.data().bytes();
    }

    /// Its step begins.
    void begin(PeerConnection other) {
        connection = other;
        number = other.next(isSent);
        isPut = false;
    }

    /// Whether it is through; moves it on if it can be.
    ///
    /// @param work with the buffers of the run
    boolean move(TeamEndpoint endpoint, PlanWork work) {
        PeerConnection other = connection();
        BufferPlaces places = work.places;
        if (isPlace && places != null) {
            return isSent
                    ? other.sent == number - 1 && other.sendInline(places.mine(), 0, (int) length)
                    : other.received == number - 1 && other.receive(places.of(member), 0, length);
        }
        long at = work.offset(buffer) + offset;
        return isSent ? send(endpoint, other, work.heap, at) : receive(other, work.heap, at);
    }

    private boolean send(TeamEndpoint endpoint, PeerConnection other, long heap, long at) {
        if (isPut) {
            return endpoint.channel.isDone(ticket);
        }
        if (other.sent != number - 1) {
            return false;
        }
        if (length <= MailboxLayout.INLINE) {
            return other.sendInline(heap + at, at, (int) length);
        }
        if (!other.sendPlaced(heap + at, length)) {
            return false;
        }
        isPut = true;
        ticket = other.ticket;
        return ticket == 0;
    }

    private boolean receive(PeerConnection other, long heap, long at) {
        return other.received == number - 1
                && (length <= MailboxLayout.INLINE || other.announced == number || other.announce(at, length))
                && other.receive(heap + at, at, length);
    }

    /// Says hello to whom it waits for, unless it is not its turn, or ready words say as much.
    void probe() {
        PeerConnection other = connection();
        boolean isNext = isSent ? !isPut && other.sent == number - 1 : other.received == number - 1;
        if (isNext && (isSent || length <= MailboxLayout.INLINE)) {
            other.probe(isSent);
        }
    }

    /// The PE that it waits for.
    int pe() {
        return connection().pe;
    }

    private PeerConnection connection() {
        PeerConnection other = connection;
        if (other == null) {
            throw new IllegalStateException(
                    "message " + (isSent ? "to" : "from") + " member " + member + " is used before its step has begun");
        }
        return other;
    }
}
