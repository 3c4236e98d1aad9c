// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.spi.Channel;
import coterie.ucx.UcxOperation.Kind;

/// Completes operations at their targets. A quiet towards a peer has two steps:
///
/// ```
///  in the peer's list    until no operation before it is open, as such a one begins further transfers
///  among peer.quiets     a flush of the endpoint completes UCX's puts; a message with the number of counted
///                        messages gets its answer when the target has applied so many
/// ```
///
/// All methods require the worker's lock.
final class UcxQuiets {
    private final UcxWorker worker;
    private final UcxTransfers transfers;

    UcxQuiets(UcxWorker worker, UcxTransfers transfers) {
        this.worker = worker;
        this.transfers = transfers;
    }

    /// Starts completing the operations towards a peer, or towards all. Returns a ticket.
    long quiet(int pe) {
        UcxOperation quiet = worker.pool.acquire(Kind.QUIET, null);
        long ticket = OperationPool.ticket(quiet);
        quiet.waits = 1;
        if (pe != Channel.ALL_PEERS) {
            start(worker.peers.get(pe), quiet);
        } else {
            for (UcxPeer peer : worker.peers.all()) {
                if (peer != null) {
                    start(peer, quiet);
                }
            }
        }
        countDown(quiet);
        return worker.pool.isDone(ticket) ? 0 : ticket;
    }

    private void start(UcxPeer peer, UcxOperation parent) {
        if (peer.isDirty()) {
            UcxOperation quiet = worker.pool.acquire(Kind.QUIET, peer);
            quiet.parent = parent;
            quiet.waits = 1;
            parent.waits++;
            peer.add(quiet);
            startReady(peer);
        }
    }

    /// Starts the quiets towards a peer for which no operation before them is open.
    void startReady(UcxPeer peer) {
        UcxOperation first = peer.first;
        while (first != null && first.kind == Kind.QUIET) {
            peer.remove(first);
            peer.quiets.add(first);
            flush(first, peer);
            ask(first, peer);
            countDown(first);
            first = peer.first;
        }
    }

    private void flush(UcxOperation quiet, UcxPeer peer) {
        if (peer.puts > peer.flushed) {
            UcxOperation flush = worker.pool.acquire(Kind.FLUSH, peer);
            flush.parent = quiet;
            flush.flushedPuts = peer.puts;
            quiet.waits++;
            if (worker.flush(flush)) {
                flushed(flush);
            }
        }
    }

    /// Takes note that a FLUSH is complete.
    void flushed(UcxOperation flush) {
        UcxPeer peer = flush.peer();
        peer.flushed = Math.max(peer.flushed, flush.flushedPuts);
        UcxOperation quiet = flush.parent;
        worker.pool.release(flush);
        if (quiet != null) {
            countDown(quiet);
        }
    }

    private void ask(UcxOperation quiet, UcxPeer peer) {
        if (peer.posted > peer.acknowledged && peer.isReachable()) {
            UcxOperation question = worker.pool.acquire(Kind.CONTROL, peer);
            UcxMessage.write(question.header, UcxMessage.Kind.QUIET, 0, 0, worker.job.pe(), 0, peer.posted);
            UcxMessage.reply(question.header, OperationPool.ticket(quiet));
            UcxMessage.after(question.header, peer.posted);
            quiet.waits++;
            transfers.control(question, 0, 0);
        }
    }

    /// Takes note that one of the things that a QUIET waits for has happened.
    void countDown(UcxOperation quiet) {
        quiet.waits--;
        if (quiet.waits == 0) {
            end(quiet);
        }
    }

    private void end(UcxOperation quiet) {
        UcxPeer peer = quiet.peer;
        if (peer != null) {
            peer.quiets.remove(quiet);
        }
        UcxOperation parent = quiet.parent;
        worker.pool.release(quiet);
        if (parent != null) {
            countDown(parent);
        }
    }

    /// Ends the quiets towards a peer that will not act again.
    void abandon(UcxPeer peer) {
        for (UcxOperation quiet : peer.quiets.toArray(UcxOperation[]::new)) {
            end(quiet);
        }
    }
}
