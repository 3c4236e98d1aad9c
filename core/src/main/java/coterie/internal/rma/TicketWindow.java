// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

/// The operations of a context that a channel may have under way, by the context's tickets: numbers in order, so
/// that the context recognises every ticket that it has returned, and no other.
///
/// ```
///  bits 62…48           47       46…0
///  number of context │ quiet? │ sequence        of each the channel's ticket and the peer, in a ring from the
///                                               oldest operation that may be under way to the latest
/// ```
///
/// A channel's tickets alone don't do: a channel need not recognise a ticket that it has never returned.
/// Thread-safe.
final class TicketWindow {
    private static final int CONTEXT_SHIFT = 48;
    private static final int MAX_CONTEXTS = 1 << 15;
    private static final long QUIET = 1L << 47;

    private final BlockingChannel channel;
    private final long context;

    /// The channel's tickets, by sequence modulo the length; 0 of an operation that is complete.
    private long[] tickets = new long[16];

    private int[] peers = new int[16];

    /// All operations before this one are complete.
    private long first = 1;

    private long next = 1;

    /// @param context number of the context; those of a world differ up to 2^15
    TicketWindow(BlockingChannel channel, int context) {
        this.channel = channel;
        this.context = (long) (context & MAX_CONTEXTS - 1) << CONTEXT_SHIFT;
    }

    /// Returns the context's ticket for a channel's one; 0 if that is 0.
    long record(long ticket, int peer) {
        return ticket == 0 ? 0 : recorded(ticket, peer) | context;
    }

    /// Returns the context's ticket for a quiet of the channel; 0 if that is complete.
    long recordQuiet(long ticket, int peer) {
        return ticket == 0 ? 0 : recorded(ticket, peer) | context | QUIET;
    }

    static boolean isQuiet(long ticket) {
        return (ticket & QUIET) != 0;
    }

    private synchronized long recorded(long ticket, int peer) {
        if (next - first == tickets.length) {
            makeRoom();
        }
        tickets[slot(next)] = ticket;
        peers[slot(next)] = peer;
        return next++;
    }

    private void makeRoom() {
        while (first < next && (tickets[slot(first)] == 0 || channel.isDone(tickets[slot(first)]))) {
            first++;
        }
        if (next - first > tickets.length / 2) {
            long[] oldTickets = tickets;
            int[] oldPeers = peers;
            tickets = new long[2 * oldTickets.length];
            peers = new int[tickets.length];
            for (long each = first; each < next; each++) {
                int old = (int) each & oldTickets.length - 1;
                tickets[slot(each)] = oldTickets[old];
                peers[slot(each)] = oldPeers[old];
            }
        }
    }

    private int slot(long sequence) {
        return (int) sequence & tickets.length - 1;
    }

    private static long sequence(long ticket) {
        return ticket & QUIET - 1;
    }

    /// Returns whether the context has returned a ticket.
    synchronized boolean has(long ticket) {
        long sequence = sequence(ticket);
        return (ticket & -1L << CONTEXT_SHIFT) == context && sequence > 0 && sequence < next;
    }

    /// Returns the channel's ticket, or 0 if the operation is known to be complete.
    synchronized long below(long ticket) {
        return sequence(ticket) < first ? 0 : tickets[slot(sequence(ticket))];
    }

    /// Returns the peer of an operation, or [coterie.spi.Channel#ALL_PEERS]; only while [#below] is not 0.
    synchronized int peer(long ticket) {
        return peers[slot(sequence(ticket))];
    }

    /// Takes note that an operation is complete.
    synchronized void complete(long ticket) {
        if (sequence(ticket) >= first) {
            tickets[slot(sequence(ticket))] = 0;
        }
    }

    /// Returns the end of the operations up to now, for [#completeBefore].
    synchronized long end() {
        return next;
    }

    /// Takes note that a quiet has completed all operations before an end.
    synchronized void completeBefore(long end) {
        first = Math.max(first, end);
    }
}
