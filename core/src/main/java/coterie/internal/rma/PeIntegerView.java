// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.ElementType;
import coterie.IntegerView;
import coterie.WaitSet;
import coterie.internal.mapped.MappedWords;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.AwaitedMemory;
import coterie.internal.wait.WaitingRoom;
import coterie.internal.wait.WordSet;
import coterie.internal.wait.WordType;
import coterie.spi.WordNames;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A view of integers of one width: a load extends the word to a `long`, with or without sign.
public abstract sealed class PeIntegerView extends PeWordView implements IntegerView
        permits PeLongView, PeIntView, PeShortView, PeByteView {
    private final WordType word;
    private final AwaitedMemory awaited;

    /// @param awaited the memory, or what is known of it
    PeIntegerView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type);
        this.word = WordType.valueOf(type.name());
        this.awaited = awaited;
    }

    final AwaitedMemory awaited() {
        return awaited;
    }

    final int @Nullable [] writers() {
        return awaited.writers();
    }

    /// Returns what is known of the memory if only some PEs write to it; see [#writtenBy].
    final AwaitedMemory written(int... pes) {
        if (pes == null) {
            throw ArgumentErrors.missing("writtenBy", context, "pes");
        }
        int[] writers = new int[pes.length];
        for (int i = 0; i < pes.length; i++) {
            if (pes[i] < 0 || pes[i] >= context.size()) {
                throw ArgumentErrors.outside("writtenBy", context, pes[i]);
            }
            writers[i] = context.peerBases.world(pes[i]);
        }
        return KnownWords.written(awaited, context, writers.length == 0 ? null : writers);
    }

    /// Returns what is known of the memory if its words have names; see [#named].
    final AwaitedMemory withNames(WordNames names) {
        if (names == null) {
            throw ArgumentErrors.missing("named", context, "names");
        }
        return KnownWords.named(awaited, context, names, memory.address(), shift);
    }

    @Override
    public final long get(long index) {
        return extended(MappedWords.load(mineToRead("get", index), shift));
    }

    @Override
    public final void set(long index, long value) {
        MappedWords.store(mineToWrite("set", index), shift, value);
    }

    @Override
    public final long getAcquire(long index) {
        return fetchMine("getAcquire", index);
    }

    @Override
    public final void setRelease(long index, long value) {
        releaseWord("setRelease", index, value);
    }

    @Override
    public final long getAndAdd(long index, long delta) {
        return extended(fetchWord("getAndAdd", AtomicOperation.ADD, index, delta, context.number));
    }

    @Override
    public final long getAndSet(long index, long value) {
        return extended(fetchWord("getAndSet", AtomicOperation.SWAP, index, value, context.number));
    }

    @Override
    public final long compareAndExchange(long index, long expected, long value) {
        return extended(swapWord("compareAndExchange", index, expected, value, context.number));
    }

    @Override
    public final long get(long index, int pe) {
        return extended(loadWord("get", index, pe));
    }

    @Override
    public final void put(long index, long value, int pe) {
        storeWord("put", index, value, pe);
    }

    @Override
    public final long getAcquire(long index, int pe) {
        return extended(fetchWord("getAcquire", AtomicOperation.FETCH, index, 0, pe));
    }

    @Override
    public final void setRelease(long index, long value, int pe) {
        VarHandle.releaseFence(); // of the caller's stores to its own memory, whatever way the word goes
        updateWord("setRelease", AtomicOperation.SWAP, index, value, pe);
    }

    @Override
    public final void add(long index, long delta, int pe) {
        updateWord("add", AtomicOperation.ADD, index, delta, pe);
    }

    @Override
    public final long getAndAdd(long index, long delta, int pe) {
        return extended(fetchWord("getAndAdd", AtomicOperation.ADD, index, delta, pe));
    }

    @Override
    public final long getAndSet(long index, long value, int pe) {
        return extended(fetchWord("getAndSet", AtomicOperation.SWAP, index, value, pe));
    }

    @Override
    public final long compareAndExchange(long index, long expected, long value, int pe) {
        return extended(swapWord("compareAndExchange", index, expected, value, pe));
    }

    @Override
    public final void and(long index, long mask, int pe) {
        updateWord("and", AtomicOperation.AND, index, mask, pe);
    }

    @Override
    public final long getAndBitwiseAnd(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseAnd", AtomicOperation.AND, index, mask, pe));
    }

    @Override
    public final void or(long index, long mask, int pe) {
        updateWord("or", AtomicOperation.OR, index, mask, pe);
    }

    @Override
    public final long getAndBitwiseOr(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseOr", AtomicOperation.OR, index, mask, pe));
    }

    @Override
    public final void xor(long index, long mask, int pe) {
        updateWord("xor", AtomicOperation.XOR, index, mask, pe);
    }

    @Override
    public final long getAndBitwiseXor(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseXor", AtomicOperation.XOR, index, mask, pe));
    }

    @Override
    public final long fetchNbi(
            AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe) {
        if (operation == null) {
            throw ArgumentErrors.missing("fetchNbi", context, "operation");
        }
        return fetchWordNbi(operation, index, operand, result, resultIndex, pe);
    }

    @Override
    public final long compareAndExchangeNbi(
            long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        return swapWordNbi(index, expected, value, result, resultIndex, pe);
    }

    @Override
    public final long waitUntil(long index, Comparison comparison, long operand) {
        return Tracing.ON
                ? tracedAwait(index, comparison, operand, WaitingRoom.FOREVER)
                : await(index, comparison, operand, WaitingRoom.FOREVER);
    }

    @Override
    public final long waitUntil(long index, Comparison comparison, long operand, Duration timeout) {
        if (timeout == null) {
            throw ArgumentErrors.missing("waitUntil", context, "timeout");
        }
        long timeoutNanos = WaitingRoom.timeoutNanos("waitUntil", context.me, timeout);
        return Tracing.ON
                ? tracedAwait(index, comparison, operand, timeoutNanos)
                : await(index, comparison, operand, timeoutNanos);
    }

    /// Loads an element of this PE with acquire: the writer's earlier ordered puts are visible afterwards.
    long fetchMine(String operation, long index) {
        return extended(acquireWord(operation, index));
    }

    private long await(long index, Comparison comparison, long operand, long timeoutNanos) {
        long address = mine("waitUntil", index);
        checkComparison("waitUntil", comparison);
        polled();
        long normal = word.loadAcquire(address);
        long value = comparison.holds(normal, word.normal(operand))
                ? word.value(normal)
                : context.room.awaitWord(awaited, word, address, comparison, operand, place(index), timeoutNanos);
        observed(index);
        checkNotFreed("waitUntil");
        return value;
    }

    private long tracedAwait(long index, Comparison comparison, long operand, long timeoutNanos) {
        checkComparison("waitUntil", comparison);
        PeTracer tracer = context.counters.tracer;
        tracer.enter(EventKind.WAIT, "waitUntil", context.me, place(index), type().byteSize(), comparison, operand);
        long value = 0;
        int flags = TraceLayout.FAILED;
        try {
            value = await(index, comparison, operand, timeoutNanos);
            flags = 0;
        } finally {
            tracer.leave(value, flags);
        }
        return value;
    }

    @Override
    public final boolean test(long index, Comparison comparison, long operand) {
        long address = mine("test", index);
        checkComparison("test", comparison);
        polled();
        boolean holds = comparison.holds(word.loadAcquire(address), word.normal(operand));
        if (holds) {
            observed(index);
        } else {
            missed();
        }
        return holds;
    }

    @Override
    public final WaitSet waitSet(long index, int count) {
        checkUsable("waitSet");
        if (index < 0 || count < 0 || index > length() - count) {
            throw ArgumentErrors.of("waitSet", this, index, count, 0);
        }
        WordSet words = new WordSet(awaited, word, own(index), count, place(index), context.runtime.observer());
        return new PeWaitSet(this, words, count, WaitingRoom.FOREVER);
    }

    final void checkComparison(String operation, Comparison comparison) {
        if (comparison == null) {
            throw ArgumentErrors.missing(operation, context, "comparison");
        }
    }

    /// Returns the value of a word in this view's type.
    private long extended(long raw) {
        return switch (type()) {
            case BYTE -> (byte) raw;
            case SHORT -> (short) raw;
            case INT -> (int) raw;
            default -> raw;
        };
    }
}
