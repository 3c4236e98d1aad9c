// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.TargetWords;
import coterie.tcp.TcpMessage.Kind;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// Applies the messages of one peer to this PE's memory, in their order, with the processor's atomics for words.
/// The engine's lock guards it: so one thread at a time applies.
///
/// Each field is checked before anything changes. A message that is not this protocol's, or that names memory
/// outside of this PE's regions, is an exception, which ends the connection.
final class MessageReceiver {
    /// Requests of a peer that may await their answers: enough to fill a network for a round trip.
    static final int MOST_AWAITED = 256;

    /// What a peer that keeps to the protocol can make this PE hold: an answer for each request and each quiet,
    /// beside this PE's own puts.
    private static final int MOST_PARTS = 4 * MOST_AWAITED;

    private static final int MOST_STAGED = 1 << 20;

    private static final AtomicOperation[] OPERATIONS = AtomicOperation.values();
    private static final SignalOperation[] UPDATES = SignalOperation.values();

    final ReachableMemory memory;
    private final TcpPeer peer;
    private final TcpTickets tickets;

    /// What follows the payload that is arriving: the update of a signal, or the end of a GET.
    private @Nullable AtomicOperation signalUpdate;

    private long signal;
    private long signalValue;
    private @Nullable TcpOperation get;

    MessageReceiver(TcpPeer peer, ReachableMemory memory, TcpTickets tickets) {
        this.peer = peer;
        this.memory = memory;
        this.tickets = tickets;
    }

    /// Applies a message whose payload, if it has one, follows in the stream.
    ///
    /// @throws ProtocolException if it breaks the protocol
    void apply(ByteBuffer from, int at, ReceiveStream stream) throws ProtocolException {
        VarHandle.releaseFence(); // bytes of the messages before are visible first
        long remote = TcpMessage.remote(from, at);
        long operand = TcpMessage.operand(from, at);
        long length = TcpMessage.length(from, at);
        int width = TcpMessage.width(from, at);
        switch (TcpMessage.kind(from, at)) {
            case PUT -> put(stream, remote, length, connections(from, at));
            case PUT_SIGNAL -> {
                signal = TcpMessage.second(from, at);
                memory.regionOfWord(signal, Long.BYTES);
                signalValue = operand;
                signalUpdate = operation(UPDATES[TcpMessage.detail(from, at)]);
                put(stream, remote, length, connections(from, at));
            }
            case GET -> answer(remote, length);
            case UPDATE -> update(remote, width, TcpMessage.detail(from, at), operand);
            case ATOMIC -> answer(Kind.WORD, update(remote, width, TcpMessage.detail(from, at), operand));
            case COMPARE_AND_SWAP -> {
                MemorySegment region = memory.regionOfWord(remote, width);
                long offset = ReachableMemory.offset(remote);
                answer(
                        Kind.WORD,
                        TargetWords.compareAndSwap(region, offset, width, TcpMessage.second(from, at), operand));
            }
            case QUIET -> answer(Kind.QUIETED, 0);
            case CLOSED -> {
                if (peer.isOpen()) {
                    peer.state = TcpPeer.State.CLOSED;
                }
                answer(Kind.RELEASED, 0);
            }
            case RELEASED -> peer.hasToRelease = false;
            case WORD -> {
                TcpOperation fetch = asked(TcpOperation.Kind.FETCH);
                store(operand, fetch);
                tickets.release(fetch);
            }
            case BYTES -> {
                TcpOperation asked = asked(TcpOperation.Kind.GET);
                if (length != asked.length) {
                    throw new ProtocolException(length + " bytes in answer to a get of " + asked.length);
                }
                get = asked;
                stream.expect(asked.memory(), asked.offset, length, connections(from, at));
            }
            case QUIETED -> tickets.release(asked(TcpOperation.Kind.QUIET));
        }
    }

    private int connections(ByteBuffer from, int at) throws ProtocolException {
        int connections = TcpMessage.connections(from, at);
        if (connections != 1 && connections != 1 + peer.rails.length) {
            throw new ProtocolException(
                    "a payload on " + connections + " connections, of which there are " + (1 + peer.rails.length));
        }
        return connections;
    }

    static AtomicOperation operation(SignalOperation update) {
        return switch (update) {
            case SET -> AtomicOperation.SWAP;
            case ADD -> AtomicOperation.ADD;
        };
    }

    private void put(ReceiveStream stream, long remote, long length, int connections) throws ProtocolException {
        if (length == 0) {
            endPayload();
        } else {
            memory.region(remote, length);
            stream.expect(remote, length, connections);
        }
    }

    /// The last byte of a payload is where it belongs.
    void endPayload() {
        AtomicOperation update = signalUpdate;
        if (update != null) {
            signalUpdate = null;
            MemorySegment region = signal >= ReachableMemory.HEAP_BASE ? memory.heap() : memory.sync;
            TargetWords.apply(update, region, ReachableMemory.offset(signal), Long.BYTES, signalValue);
        }
        TcpOperation received = get;
        if (received != null) {
            get = null;
            tickets.release(received);
        }
    }

    private long update(long remote, int width, int detail, long operand) throws ProtocolException {
        MemorySegment region = memory.regionOfWord(remote, width);
        return TargetWords.apply(OPERATIONS[detail], region, ReachableMemory.offset(remote), width, operand);
    }

    private static void store(long word, TcpOperation fetch) {
        MemorySegment to = fetch.memory();
        if (to.isNative()) {
            TargetWords.copy(word, fetch.width, ProcessMemory.ALL, to.address() + fetch.offset);
        } else {
            TargetWords.copy(word, fetch.width, to, fetch.offset);
        }
    }

    /// Returns the operation that an answer completes: the first of those that await one.
    private TcpOperation asked(TcpOperation.Kind kind) throws ProtocolException {
        TcpOperation first = peer.firstAwaited();
        if (first == null || first.kind != kind) {
            throw new ProtocolException("an answer to a " + kind + ", where "
                    + (first == null ? "nothing" : "one to a " + first.kind) + " is awaited");
        }
        return peer.removeAwaited();
    }

    private void answer(Kind kind, long operand) throws ProtocolException {
        requireRoom();
        peer.send.add(kind, 0, 0, 0, operand);
    }

    /// Answers a GET: a long one from the memory in place, when the socket takes the bytes.
    private void answer(long remote, long length) throws ProtocolException {
        MemorySegment region = memory.region(remote, length);
        requireRoom();
        SendStream send = peer.send;
        int at = send.add(Kind.BYTES, 0, 0, 0, 0);
        TcpMessage.length(send.stage(), at, length);
        long offset = ReachableMemory.offset(remote);
        if (length <= SendStream.MOST_COPIED && !send.isFull()) {
            send.copy(region, offset, length);
        } else {
            peer.refer(at, region, offset, length, null);
        }
    }

    private void requireRoom() throws ProtocolException {
        if (peer.send.parts() > MOST_PARTS || peer.send.stagedBytes() > MOST_STAGED) {
            throw new ProtocolException("more requests than may await answers");
        }
    }
}
