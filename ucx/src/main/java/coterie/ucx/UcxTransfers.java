// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.libucp.NativeMemory.ALL;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.TargetWords;
import coterie.ucx.UcxOperation.Kind;
import coterie.ucx.UcxOperation.Stage;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Begins the operations of this PE, and continues them when a request of UCX is complete or an answer has
/// arrived.
///
/// | operation | region HEAP | region SYNC |
/// |---|---|---|
/// | put | a put of UCX; from an array in blocks, one after another | a message for each 2 KiB |
/// | put with signal, up to 2 KiB | a message | a message |
/// | put with signal, longer | a put, a flush of the endpoint, a message | messages; the last has the signal |
/// | get | a get of UCX; to an array in blocks | a message and an answer for each 2 KiB |
/// | words | a message, and an answer if the caller needs one | the same |
/// | quiet | a flush of the endpoint and a message; the answer says that all messages before are applied | |
///
/// A quiet towards a peer first waits for the operations there that begin further transfers. All methods
/// require the worker's lock.
final class UcxTransfers {
    private final UcxWorker worker;
    private final int me;
    final UcxQuiets quiets;

    /// Bytes of the region SYNC of each PE.
    long syncBytes;

    UcxTransfers(UcxWorker worker) {
        this.worker = worker;
        this.quiets = new UcxQuiets(worker, this);
        this.me = worker.job.pe();
    }

    private boolean isSync(UcxPeer peer, long remote) {
        return Long.compareUnsigned(remote - peer.syncBase, syncBytes) < 0;
    }

    /// Orders the next message to a peer behind all before it, unless other operations towards the peer are open.
    ///
    /// @param bytes of what follows; a put of so many travels as a message
    boolean orders(int pe, long bytes) {
        UcxPeer peer = worker.peers.get(pe);
        if (bytes > UcxMessage.PAYLOAD_BYTES || peer.first != null || peer.puts > peer.flushed) {
            return false;
        }
        peer.ordered = peer.posted;
        return true;
    }

    /// Puts bytes. Returns a ticket.
    long put(MemorySegment source, long offset, long length, int pe, long remote) {
        UcxPeer peer = worker.peers.get(pe);
        if (!peer.isOpen() || length == 0) {
            return 0;
        }
        return begin(transfer(Kind.PUT, peer, source, offset, length, remote));
    }

    /// Gets bytes. Returns a ticket.
    long get(int pe, long remote, MemorySegment target, long offset, long length) {
        UcxPeer peer = worker.peers.get(pe);
        if (!peer.isOpen()) {
            return OperationPool.NEVER;
        }
        UcxOperation get = transfer(Kind.GET, peer, target, offset, length, remote);
        peer.add(get);
        if (getMore(get)) {
            end(get);
            return 0;
        }
        return peer.isReachable() ? OperationPool.ticket(get) : OperationPool.NEVER;
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
        UcxPeer peer = worker.peers.get(pe);
        if (!peer.isOpen()) {
            return 0;
        }
        UcxOperation put = transfer(Kind.PUT, peer, source, offset, length, remote);
        put.hasSignal = true;
        put.signal = signal;
        put.signalUpdate = update.ordinal();
        put.signalValue = value;
        put.usesMessages |= length <= UcxMessage.PAYLOAD_BYTES;
        return begin(put);
    }

    private UcxOperation transfer(
            Kind kind, UcxPeer peer, MemorySegment memory, long offset, long length, long remote) {
        UcxOperation transfer = worker.pool.acquire(kind, peer);
        transfer.memory = memory;
        transfer.memoryOffset = offset;
        transfer.length = length;
        transfer.remote = remote;
        transfer.usesMessages = isSync(peer, remote)
                || (kind == Kind.PUT && length <= UcxMessage.PAYLOAD_BYTES && peer.ordersMessages());
        return transfer;
    }

    private long begin(UcxOperation put) {
        long ticket = OperationPool.ticket(put);
        put.peer().add(put);
        if (advance(put)) {
            end(put);
            return 0;
        }
        boolean isCopied = put.payloadIsCopy && put.done + put.chunk == put.length;
        return isCopied ? 0 : ticket;
    }

    /// Takes a PUT as far as it goes now. Returns whether it has ended.
    private boolean advance(UcxOperation put) {
        if (put.stage == Stage.TRANSFER) {
            if (!putMore(put)) {
                return false;
            }
            if (!put.hasSignal) {
                return true;
            }
            put.stage = Stage.FLUSH;
            if (!put.usesMessages) {
                put.flushedPuts = put.peer().puts;
                if (!worker.flush(put)) {
                    return false;
                }
            }
        }
        if (put.stage == Stage.FLUSH) {
            put.stage = Stage.SIGNAL;
            return sendSignal(put);
        }
        return true;
    }

    /// Sends the update of the signal of a put whose bytes travel on their own.
    private boolean sendSignal(UcxOperation put) {
        UcxPeer peer = put.peer();
        put.chunk = 0;
        write(put, UcxMessage.Kind.PUT_SIGNAL, put.signalUpdate, Long.BYTES, put.remote, put.signalValue);
        UcxMessage.second(put.header, put.signal);
        UcxMessage.after(put.header, put.usesMessages ? peer.posted : peer.ordered);
        return worker.send(put, 0, 0);
    }

    /// Starts puts until one is under way, or all bytes have left.
    ///
    /// @return whether all have
    private boolean putMore(UcxOperation put) {
        UcxPeer peer = put.peer();
        boolean isLast = put.hasSignal && put.length == 0; // the signal travels alone
        while ((put.done < put.length || isLast) && peer.isReachable()) {
            isLast = false;
            if (!(put.usesMessages ? sendChunk(put) : putChunk(put))) {
                return false;
            }
            put.done += put.chunk;
            put.chunk = 0;
        }
        return true;
    }

    private boolean sendChunk(UcxOperation put) {
        MemorySegment source = put.memory();
        long from = put.memoryOffset + put.done;
        put.chunk = Math.min(UcxMessage.PAYLOAD_BYTES, put.length - put.done);
        put.payloadIsCopy = !source.isNative();
        if (put.payloadIsCopy) {
            MemorySegment.copy(source, from, ALL, put.payload, put.chunk);
        }
        boolean hasSignal = put.hasSignal && put.length <= UcxMessage.PAYLOAD_BYTES;
        UcxMessage.Kind kind = hasSignal ? UcxMessage.Kind.PUT_SIGNAL : UcxMessage.Kind.PUT;
        write(put, kind, put.signalUpdate, Long.BYTES, put.remote + put.done, put.signalValue);
        if (hasSignal) {
            UcxMessage.second(put.header, put.signal);
            put.hasSignal = false;
        }
        return worker.send(put, put.payloadIsCopy ? put.payload : source.address() + from, put.chunk);
    }

    private boolean putChunk(UcxOperation put) {
        MemorySegment source = put.memory();
        long from = put.memoryOffset + put.done;
        long left = put.length - put.done;
        put.payloadIsCopy = !source.isNative();
        if (!put.payloadIsCopy) {
            put.chunk = left;
            return worker.put(put, source.address() + from, left, put.remote + put.done);
        }
        put.chunk = Math.min(left, BounceBlock.BYTES);
        long copy = bounce(put);
        MemorySegment.copy(source, from, ALL, copy, put.chunk);
        return worker.put(put, copy, put.chunk, put.remote + put.done);
    }

    /// Returns the address of native memory for a chunk.
    private long bounce(UcxOperation transfer) {
        if (transfer.chunk <= UcxMessage.PAYLOAD_BYTES) {
            return transfer.payload;
        }
        BounceBlock block = transfer.block;
        if (block == null) {
            block = worker.pool.acquireBlock();
            transfer.block = block;
        }
        return block.memory.address();
    }

    /// Starts gets until one is under way, or all bytes are here.
    ///
    /// @return whether all are
    private boolean getMore(UcxOperation get) {
        MemorySegment target = get.memory();
        UcxPeer peer = get.peer();
        while (get.done < get.length) {
            long left = get.length - get.done;
            long to = get.memoryOffset + get.done;
            if (get.usesMessages) {
                get.chunk = Math.min(left, UcxMessage.PAYLOAD_BYTES);
                get.isAnswered = false;
                write(get, UcxMessage.Kind.GET, 0, 0, get.remote + get.done, get.chunk);
                UcxMessage.reply(get.header, OperationPool.ticket(get));
                worker.send(get, 0, 0);
                return false; // the answer comes later
            }
            boolean isNative = target.isNative();
            get.chunk = isNative ? left : Math.min(left, BounceBlock.BYTES);
            long address = isNative ? target.address() + to : bounce(get);
            if (!worker.get(get, address, get.chunk, get.remote + get.done) || !peer.isReachable()) {
                return false;
            }
            takeChunk(get);
        }
        return true;
    }

    /// Takes the bytes of a get of UCX that is complete.
    private void takeChunk(UcxOperation get) {
        MemorySegment target = get.memory();
        if (!target.isNative()) {
            MemorySegment.copy(ALL, bounce(get), target, get.memoryOffset + get.done, get.chunk);
        }
        get.done += get.chunk;
    }

    /// Takes the bytes that a peer has sent as an answer.
    void receive(UcxOperation get, long payload, long length) {
        MemorySegment target = get.memory();
        long to = get.memoryOffset + get.done;
        if (target.isNative()) {
            MemorySegment.copy(ALL, payload, ALL, target.address() + to, length); // whatever thread may use the target
        } else {
            MemorySegment.copy(ALL, payload, target, to, length);
        }
        get.done += length;
        worker.answered(get);
    }

    /// Takes the word that a peer has sent as an answer.
    void receive(UcxOperation fetch, long word) {
        MemorySegment target = fetch.memory();
        if (target.isNative()) {
            TargetWords.copy(word, fetch.wordBytes, ALL, target.address() + fetch.memoryOffset);
        } else {
            TargetWords.copy(word, fetch.wordBytes, target, fetch.memoryOffset);
        }
        worker.answered(fetch);
    }

    /// Applies an atomic operation, and fetches the old word unless there is no `result`. Returns a ticket.
    long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int pe,
            long remote,
            @Nullable MemorySegment result,
            long offset) {
        UcxPeer peer = worker.peers.get(pe);
        if (!peer.isOpen()) {
            return result == null ? 0 : OperationPool.NEVER;
        }
        UcxOperation atomic = worker.pool.acquire(result == null ? Kind.MESSAGE : Kind.FETCH, peer);
        write(atomic, UcxMessage.Kind.ATOMIC, operation.ordinal(), bytes, remote, operand);
        if (result != null) {
            return fetch(atomic, bytes, result, offset);
        }
        if (worker.send(atomic, 0, 0)) {
            worker.pool.release(atomic);
        }
        return 0;
    }

    /// Replaces a word that is the expected one. Returns a ticket.
    long compareAndSwap(long expected, long value, int bytes, int pe, long remote, MemorySegment result, long offset) {
        UcxPeer peer = worker.peers.get(pe);
        if (!peer.isOpen()) {
            return OperationPool.NEVER;
        }
        UcxOperation swap = worker.pool.acquire(Kind.FETCH, peer);
        write(swap, UcxMessage.Kind.COMPARE_AND_SWAP, 0, bytes, remote, value);
        UcxMessage.second(swap.header, expected);
        return fetch(swap, bytes, result, offset);
    }

    private long fetch(UcxOperation fetch, int bytes, MemorySegment result, long offset) {
        fetch.memory = result;
        fetch.memoryOffset = offset;
        fetch.wordBytes = bytes;
        long ticket = OperationPool.ticket(fetch);
        UcxMessage.reply(fetch.header, ticket);
        fetch.peer().add(fetch);
        worker.send(fetch, 0, 0);
        return ticket;
    }

    private void write(UcxOperation operation, UcxMessage.Kind kind, int detail, int bytes, long remote, long operand) {
        UcxMessage.write(operation.header, kind, detail, bytes, me, remote, operand);
        UcxMessage.after(operation.header, operation.peer().ordered);
    }

    /// Sends a message for which no operation waits.
    void control(UcxOperation control, long payload, long length) {
        if (worker.send(control, payload, length)) {
            worker.pool.release(control);
        }
    }

    /// Notifies a peer that this PE's world ends in good order.
    void notifyClosed(UcxPeer peer) {
        UcxOperation closed = worker.pool.acquire(Kind.CONTROL, peer);
        write(closed, UcxMessage.Kind.CLOSED, 0, 0, 0, 0);
        UcxMessage.after(closed.header, peer.posted);
        control(closed, 0, 0);
    }

    /// Continues an operation whose request of UCX is complete, or has failed with its peer.
    void complete(UcxOperation operation) {
        switch (operation.kind) {
            case PUT -> {
                finishChunk(operation);
                if (!operation.peer().isReachable() || advance(operation)) {
                    end(operation);
                }
            }
            case GET, FETCH -> {
                if (!operation.usesMessages
                        && operation.kind == Kind.GET
                        && operation.peer().isReachable()) {
                    takeChunk(operation);
                    if (getMore(operation)) {
                        end(operation);
                    }
                } else if (operation.isAnswered) {
                    settle(operation);
                } else if (!operation.peer().isReachable()) {
                    drop(operation);
                }
            }
            case FLUSH -> quiets.flushed(operation);
            default -> worker.pool.release(operation);
        }
    }

    private static void finishChunk(UcxOperation put) {
        if (put.stage == Stage.TRANSFER) {
            put.done += put.chunk;
            put.chunk = 0;
        } else if (put.stage == Stage.FLUSH) {
            put.peer().flushed = Math.max(put.peer().flushed, put.flushedPuts);
        }
    }

    /// Continues an operation whose answer has arrived.
    void settle(UcxOperation operation) {
        if (operation.request != 0) {
            return; // UCX still reads the header: complete() comes here
        }
        switch (operation.kind) {
            case GET -> {
                if (getMore(operation)) {
                    end(operation);
                }
            }
            case FETCH -> end(operation);
            case QUIET -> quiets.countDown(operation);
            default -> throw new IllegalStateException("an answer to " + operation.kind);
        }
    }

    private void end(UcxOperation operation) {
        UcxPeer peer = operation.peer();
        peer.remove(operation);
        worker.pool.release(operation);
        quiets.startReady(peer);
    }

    /// Takes a fetch from a lost peer out of use: it never completes.
    private void drop(UcxOperation fetch) {
        fetch.peer().remove(fetch);
        worker.pool.forget(fetch);
    }

    /// Ends the operations towards a peer that will not act again, but for fetches, which never complete, and
    /// what UCX itself is about to complete.
    void abandon(UcxPeer peer) {
        UcxOperation operation = peer.first;
        while (operation != null) {
            UcxOperation following = operation.next;
            if (operation.kind == Kind.GET || operation.kind == Kind.FETCH) {
                if (operation.request == 0 && !operation.isAnswered) {
                    drop(operation);
                }
            } else if (operation.kind == Kind.QUIET) {
                peer.remove(operation);
                quiets.countDown(operation);
            } else if (operation.request == 0) {
                peer.remove(operation);
                worker.pool.release(operation);
            }
            operation = following;
        }
        quiets.abandon(peer);
    }
}
