// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.libucp.NativeMemory.ALL;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.TargetWords;
import coterie.ucx.UcxOperation.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Applies the messages of peers to this PE's memory, with the processor's atomics: the one agent for all
/// words that peers update by this conduit.
///
/// UCX calls it, so it sends nothing: answers leave after the callbacks. A message that has to wait for
/// earlier ones is copied.
final class MessageAgent {
    private static final AtomicOperation[] OPERATIONS = AtomicOperation.values();
    private static final SignalOperation[] UPDATES = SignalOperation.values();

    private final UcxWorker worker;
    private final OwnRegions regions;
    private final List<UcxOperation> answers = new ArrayList<>();
    private final List<WaitingMessage> waiting = new ArrayList<>();

    /// A message that earlier messages of its source must precede.
    ///
    /// @param copy of the header and the payload
    private record WaitingMessage(UcxPeer source, MemorySegment copy) {}

    MessageAgent(UcxWorker worker, OwnRegions regions) {
        this.worker = worker;
        this.regions = regions;
    }

    /// Applies a message, or keeps it until those before it are applied. A message that is not this
    /// protocol's ends the connection to its source.
    void apply(long header, long headerLength, long payload, long length) {
        UcxPeer source = null;
        try {
            if (headerLength != UcxMessage.HEADER_BYTES) {
                throw new IllegalArgumentException("a header of " + headerLength + " bytes");
            }
            source = worker.peers.get(UcxMessage.source(header));
            source.isContact = true;
            if (!source.isReachable()) {
                source.dropped++;
                return; // a PE that has been reported as failed must not act any more
            }
            if (UcxMessage.after(header) > source.applied) {
                waiting.add(new WaitingMessage(source, copy(header, payload, length)));
                return;
            }
            apply(source, header, payload, length);
            if (!waiting.isEmpty()) {
                applyWaiting(source);
            }
        } catch (Throwable e) { // an exception that left a callback would end the JVM
            if (source != null) {
                worker.peers.lose(source, "it has sent a message that can't be applied: " + e);
            }
        }
    }

    private static MemorySegment copy(long header, long payload, long length) {
        MemorySegment copy = Arena.ofAuto().allocate(UcxMessage.HEADER_BYTES + length, Long.BYTES);
        MemorySegment.copy(ALL, header, copy, 0, UcxMessage.HEADER_BYTES);
        MemorySegment.copy(ALL, payload, copy, UcxMessage.HEADER_BYTES, length);
        return copy;
    }

    private void applyWaiting(UcxPeer source) {
        boolean hasApplied = true;
        while (hasApplied) {
            hasApplied = false;
            for (Iterator<WaitingMessage> each = waiting.iterator(); each.hasNext() && !hasApplied; ) {
                WaitingMessage message = each.next();
                long header = message.copy.address();
                if (message.source == source && UcxMessage.after(header) <= source.applied) {
                    each.remove();
                    apply(
                            source,
                            header,
                            header + UcxMessage.HEADER_BYTES,
                            message.copy.byteSize() - UcxMessage.HEADER_BYTES);
                    hasApplied = true;
                }
            }
        }
    }

    private void apply(UcxPeer source, long header, long payload, long length) {
        long remote = UcxMessage.remote(header);
        long operand = UcxMessage.operand(header);
        int bytes = UcxMessage.bytes(header);
        boolean isCounted = UcxMessage.isCounted(header);
        switch (UcxMessage.kind(header)) {
            case PUT -> copyIn(remote, payload, length);
            case PUT_SIGNAL -> {
                copyIn(remote, payload, length);
                long signal = UcxMessage.second(header);
                regions.check(signal, Long.BYTES);
                TargetWords.apply(
                        switch (UPDATES[UcxMessage.detail(header)]) {
                            case SET -> AtomicOperation.SWAP;
                            case ADD -> AtomicOperation.ADD;
                        },
                        ALL,
                        signal,
                        Long.BYTES,
                        operand);
            }
            case GET -> {
                regions.check(remote, operand);
                answer(source, UcxMessage.Kind.BYTES, header, 0, remote, operand);
            }
            case ATOMIC -> {
                regions.check(remote, bytes);
                long word = TargetWords.apply(OPERATIONS[UcxMessage.detail(header)], ALL, remote, bytes, operand);
                if (!isCounted) {
                    answer(source, UcxMessage.Kind.WORD, header, word, 0, 0);
                }
            }
            case COMPARE_AND_SWAP -> {
                regions.check(remote, bytes);
                long word = TargetWords.compareAndSwap(ALL, remote, bytes, UcxMessage.second(header), operand);
                answer(source, UcxMessage.Kind.WORD, header, word, 0, 0);
            }
            case QUIET -> answer(source, UcxMessage.Kind.QUIETED, header, operand, 0, 0);
            case CLOSED -> {
                worker.peers.closed(source);
                answer(source, UcxMessage.Kind.RELEASED, header, 0, 0, 0);
            }
            case RELEASED -> source.hasToRelease = false;
            case WORD -> {
                UcxOperation fetch = asked(header, source);
                if (fetch != null) {
                    worker.transfers.receive(fetch, operand);
                }
            }
            case BYTES -> {
                UcxOperation get = asked(header, source);
                if (get != null) {
                    worker.transfers.receive(get, payload, length);
                }
            }
            case QUIETED -> {
                source.acknowledged = Math.max(source.acknowledged, operand);
                UcxOperation quiet = asked(header, source);
                if (quiet != null) {
                    worker.answered(quiet);
                }
            }
        }
        source.applied += isCounted ? 1 : 0;
    }

    private void copyIn(long remote, long payload, long length) {
        if (length > 0) {
            regions.check(remote, length);
            MemorySegment.copy(ALL, payload, ALL, remote, length);
        }
    }

    /// Returns the operation that a message answers, or null if it has been taken out of use.
    private @Nullable UcxOperation asked(long header, UcxPeer source) {
        UcxOperation asked = worker.pool.find(UcxMessage.reply(header));
        return asked != null && asked.peer == source ? asked : null;
    }

    private void answer(UcxPeer source, UcxMessage.Kind kind, long question, long operand, long payload, long length) {
        UcxOperation answer = worker.pool.acquire(Kind.CONTROL, source);
        UcxMessage.write(answer.header, kind, 0, 0, worker.job.pe(), 0, operand);
        UcxMessage.reply(answer.header, UcxMessage.reply(question));
        answer.remote = payload;
        answer.length = length;
        answers.add(answer);
    }

    /// Sends the answers to the messages that have been applied.
    void sendAnswers() {
        for (int i = 0; i < answers.size(); i++) {
            UcxOperation answer = answers.get(i);
            worker.transfers.control(answer, answer.remote, answer.length);
        }
        answers.clear();
    }
}
