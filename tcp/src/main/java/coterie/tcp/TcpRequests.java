// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import coterie.spi.TargetWords;
import coterie.tcp.TcpMessage.Kind;
import java.lang.foreign.MemorySegment;

/// Begins the operations of this PE. All methods require the engine's lock.
///
/// | operation | message | leaves |
/// |---|---|---|
/// | put | PUT with a copy of the bytes, or with the bytes in place | with the next message, or in the next wait |
/// | put of a word | UPDATE | the same |
/// | put with signal | PUT_SIGNAL with the bytes | at once |
/// | get | GET; the answer has the bytes | at once |
/// | words | UPDATE, ATOMIC, COMPARE_AND_SWAP | at once |
/// | quiet | QUIET, unless answers have shown that all is applied | at once |
///
/// A put and the quiet after it leave by one system call, and so do their bytes at the peer arrive.
final class TcpRequests {
    /// Staged bytes that leave without waiting for more.
    private static final int MOST_DELAYED = 16 << 10;

    private final TcpEngine engine;
    private final TcpTickets tickets;
    private final int me;
    private final OwnTarget own;

    TcpRequests(TcpEngine engine, OwnTarget own) {
        this.engine = engine;
        this.tickets = engine.tickets;
        this.me = engine.job.pe();
        this.own = own;
    }

    /// Puts bytes. Returns a ticket.
    long put(MemorySegment source, long offset, long length, int pe, long remote) {
        if (pe == me) {
            own.put(source, offset, length, remote);
            return 0;
        }
        TcpPeer peer = engine.peer(pe);
        if (!peer.isOpen() || length == 0) {
            return 0;
        }
        int at = peer.send.add(Kind.PUT, 0, 0, remote, 0);
        TcpMessage.length(peer.send.stage(), at, length);
        peer.posted++;
        if (length > SendStream.MOST_COPIED) {
            return refer(peer, at, source, offset, length);
        }
        peer.send.copy(source, offset, length);
        leaveSoon(peer);
        return 0;
    }

    /// Puts bytes, and then updates a signal. Returns a ticket.
    long putSignal(
            MemorySegment source,
            long offset,
            long length,
            int pe,
            long remote,
            long signal,
            SignalOperation update,
            long value) {
        if (pe == me) {
            own.put(source, offset, length, remote);
            own.update(update, signal, value);
            return 0;
        }
        TcpPeer peer = engine.peer(pe);
        if (!peer.isOpen()) {
            return 0;
        }
        int at = peer.send.add(Kind.PUT_SIGNAL, update.ordinal(), Long.BYTES, remote, value);
        TcpMessage.second(peer.send.stage(), at, signal);
        TcpMessage.length(peer.send.stage(), at, length);
        peer.posted++;
        if (length > SendStream.MOST_COPIED) {
            return refer(peer, at, source, offset, length);
        }
        peer.send.copy(source, offset, length);
        engine.flush(peer);
        return 0;
    }

    private long refer(TcpPeer peer, int at, MemorySegment source, long offset, long length) {
        TcpOperation put = tickets.acquire(TcpOperation.Kind.PUT);
        put.memory = source;
        long ticket = TcpTickets.ticket(put);
        peer.refer(at, source, offset, length, put);
        engine.flush(peer);
        return tickets.isDone(ticket) ? 0 : ticket;
    }

    private void leaveSoon(TcpPeer peer) {
        if (peer.send.stagedBytes() >= MOST_DELAYED) {
            engine.flush(peer);
        } else {
            engine.wakeAgent();
        }
    }

    /// Gets bytes. Returns a ticket.
    long get(int pe, long remote, MemorySegment target, long offset, long length) {
        if (pe == me) {
            own.get(remote, target, offset, length);
            return 0;
        }
        TcpPeer peer = engine.peer(pe);
        if (!peer.isOpen()) {
            return TcpTickets.NEVER;
        }
        if (length == 0) {
            return 0;
        }
        int at = peer.send.add(Kind.GET, 0, 0, remote, 0);
        TcpMessage.length(peer.send.stage(), at, length);
        TcpOperation get = tickets.acquire(TcpOperation.Kind.GET);
        get.length = length;
        return fetch(peer, get, target, offset);
    }

    private long fetch(TcpPeer peer, TcpOperation fetch, MemorySegment result, long offset) {
        fetch.memory = result;
        fetch.offset = offset;
        long ticket = TcpTickets.ticket(fetch);
        peer.await(fetch);
        engine.flush(peer);
        return ticket;
    }

    /// Stores a word.
    void putWord(long word, int width, int pe, long remote) {
        if (pe == me) {
            own.apply(AtomicOperation.SWAP, word, width, remote);
            return;
        }
        TcpPeer peer = engine.peer(pe);
        if (peer.isOpen()) {
            update(peer, AtomicOperation.SWAP, word, width, remote);
            leaveSoon(peer);
        }
    }

    /// Applies an atomic operation, and fetches nothing.
    void update(AtomicOperation operation, long operand, int width, int pe, long remote) {
        if (pe == me) {
            own.apply(operation, operand, width, remote);
            return;
        }
        TcpPeer peer = engine.peer(pe);
        if (peer.isOpen()) {
            update(peer, operation, operand, width, remote);
            engine.flush(peer);
        }
    }

    private static void update(TcpPeer peer, AtomicOperation operation, long operand, int width, long remote) {
        peer.send.add(Kind.UPDATE, operation.ordinal(), width, remote, operand);
        peer.posted++;
    }

    /// Applies an atomic operation, and fetches the old word. Returns a ticket.
    long atomic(
            AtomicOperation operation,
            long operand,
            int width,
            int pe,
            long remote,
            MemorySegment result,
            long offset) {
        if (pe == me) {
            TargetWords.copy(own.apply(operation, operand, width, remote), width, result, offset);
            return 0;
        }
        TcpPeer peer = engine.peer(pe);
        if (!peer.isOpen()) {
            return TcpTickets.NEVER;
        }
        peer.send.add(Kind.ATOMIC, operation.ordinal(), width, remote, operand);
        return fetchWord(peer, width, result, offset);
    }

    /// Replaces a word that is the expected one. Returns a ticket.
    long compareAndSwap(long expected, long value, int width, int pe, long remote, MemorySegment result, long offset) {
        if (pe == me) {
            TargetWords.copy(own.compareAndSwap(expected, value, width, remote), width, result, offset);
            return 0;
        }
        TcpPeer peer = engine.peer(pe);
        if (!peer.isOpen()) {
            return TcpTickets.NEVER;
        }
        int at = peer.send.add(Kind.COMPARE_AND_SWAP, 0, width, remote, value);
        TcpMessage.second(peer.send.stage(), at, expected);
        return fetchWord(peer, width, result, offset);
    }

    private long fetchWord(TcpPeer peer, int width, MemorySegment result, long offset) {
        TcpOperation fetch = tickets.acquire(TcpOperation.Kind.FETCH);
        fetch.width = width;
        return fetch(peer, fetch, result, offset);
    }

    /// Starts completing the operations towards a peer, or towards all. Returns a ticket.
    long quiet(int pe) {
        if (pe != Channel.ALL_PEERS) {
            TcpPeer peer = engine.known(pe);
            return peer == null ? 0 : quiet(peer);
        }
        TcpOperation all = tickets.acquire(TcpOperation.Kind.QUIET);
        long ticket = TcpTickets.ticket(all);
        all.waits = 1;
        for (int i = 0; i < engine.contactCount(); i++) {
            TcpPeer peer = engine.contact(i);
            if (isDirty(peer)) {
                all.waits++;
                ask(peer).parent = all;
            }
        }
        for (int i = 0; i < engine.contactCount(); i++) {
            engine.flush(engine.contact(i));
        }
        tickets.countDown(all);
        return tickets.isDone(ticket) ? 0 : ticket;
    }

    private long quiet(TcpPeer peer) {
        if (!isDirty(peer)) {
            return 0;
        }
        TcpOperation last = peer.lastAwaited();
        if (last != null && last.kind == TcpOperation.Kind.QUIET && last.covers == peer.posted) {
            return TcpTickets.ticket(last);
        }
        long ticket = TcpTickets.ticket(ask(peer));
        engine.flush(peer);
        return ticket;
    }

    private static boolean isDirty(TcpPeer peer) {
        return peer.isOpen() && (peer.posted > peer.acknowledged || peer.awaitedCount() > 0);
    }

    private TcpOperation ask(TcpPeer peer) {
        peer.send.add(Kind.QUIET, 0, 0, 0, 0);
        TcpOperation quiet = tickets.acquire(TcpOperation.Kind.QUIET);
        peer.await(quiet);
        return quiet;
    }

    /// Notifies a peer that this PE's world ends in good order.
    void notifyClosed(TcpPeer peer) {
        peer.hasToRelease = true;
        peer.send.add(Kind.CLOSED, 0, 0, 0, 0);
        engine.flush(peer);
    }
}
