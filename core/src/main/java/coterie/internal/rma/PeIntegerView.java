// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import coterie.Comparison;
import coterie.Context;
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
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A view of integers of one width: a load extends the word to a `long`, with or without sign.
public final class PeIntegerView extends PeWordView implements IntegerView {
    private final WordType word;
    private final AwaitedMemory awaited;

    PeIntegerView(PeContext context, PeMemory memory, ElementType type) {
        this(context, memory, type, memory);
    }

    /// @param awaited the memory, or what is known of it
    private PeIntegerView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type);
        this.word = WordType.valueOf(type.name());
        this.awaited = awaited;
    }

    int @Nullable [] writers() {
        return awaited.writers();
    }

    @Override
    public IntegerView slice(long index, long length) {
        return new PeIntegerView(context, sliced(index, length), type(), awaited);
    }

    @Override
    public PeIntegerView through(Context other) {
        return new PeIntegerView(checked(other), memory, type(), awaited);
    }

    @Override
    public PeIntegerView writtenBy(int... pes) {
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
        return new PeIntegerView(
                context, memory, type(), KnownWords.written(awaited, context, writers.length == 0 ? null : writers));
    }

    @Override
    public IntegerView named(WordNames names) {
        if (names == null) {
            throw ArgumentErrors.missing("named", context, "names");
        }
        return new PeIntegerView(
                context, memory, type(), KnownWords.named(awaited, context, names, memory.address(), shift));
    }

    @Override
    public IntegerView unsigned() {
        return new PeIntegerView(
                context,
                memory,
                switch (type()) {
                    case BYTE -> ElementType.UNSIGNED_BYTE;
                    case SHORT -> ElementType.UNSIGNED_SHORT;
                    case INT -> ElementType.UNSIGNED_INT;
                    case LONG -> ElementType.UNSIGNED_LONG;
                    default -> type();
                },
                awaited);
    }

    @Override
    public long get(long index) {
        return extended(MappedWords.load(mineToRead("get", index), shift));
    }

    @Override
    public void set(long index, long value) {
        MappedWords.store(mineToWrite("set", index), shift, value);
    }

    @Override
    public void set(long index, long[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_LONG_UNALIGNED, sourceIndex, count);
    }

    @Override
    public void get(long index, long[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_LONG_UNALIGNED, targetIndex, count);
    }

    @Override
    public void set(long index, int[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_INT_UNALIGNED, sourceIndex, count);
    }

    @Override
    public void get(long index, int[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_INT_UNALIGNED, targetIndex, count);
    }

    @Override
    public void set(long index, short[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_SHORT_UNALIGNED, sourceIndex, count);
    }

    @Override
    public void get(long index, short[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_SHORT_UNALIGNED, targetIndex, count);
    }

    @Override
    public void set(long index, byte[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_BYTE, sourceIndex, count);
    }

    @Override
    public void get(long index, byte[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_BYTE, targetIndex, count);
    }

    @Override
    public long getAcquire(long index) {
        return fetchMine("getAcquire", index);
    }

    @Override
    public void setRelease(long index, long value) {
        releaseWord("setRelease", index, value);
    }

    @Override
    public long getAndAdd(long index, long delta) {
        return extended(fetchWord("getAndAdd", AtomicOperation.ADD, index, delta, context.number));
    }

    @Override
    public long getAndSet(long index, long value) {
        return extended(fetchWord("getAndSet", AtomicOperation.SWAP, index, value, context.number));
    }

    @Override
    public long compareAndExchange(long index, long expected, long value) {
        return extended(swapWord("compareAndExchange", index, expected, value, context.number));
    }

    @Override
    public long get(long index, int pe) {
        return extended(loadWord("get", index, pe));
    }

    @Override
    public void put(long index, long value, int pe) {
        storeWord("put", index, value, pe);
    }

    @Override
    public void put(long index, long[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_LONG_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, long[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_LONG_UNALIGNED, targetIndex, count, pe);
    }

    @Override
    public void put(long index, int[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_INT_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, int[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_INT_UNALIGNED, targetIndex, count, pe);
    }

    @Override
    public void put(long index, short[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_SHORT_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, short[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_SHORT_UNALIGNED, targetIndex, count, pe);
    }

    @Override
    public void put(long index, byte[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_BYTE, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, byte[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_BYTE, targetIndex, count, pe);
    }

    @Override
    public long getAcquire(long index, int pe) {
        return extended(fetchWord("getAcquire", AtomicOperation.FETCH, index, 0, pe));
    }

    @Override
    public void setRelease(long index, long value, int pe) {
        updateWord("setRelease", AtomicOperation.SWAP, index, value, pe);
    }

    @Override
    public void add(long index, long delta, int pe) {
        updateWord("add", AtomicOperation.ADD, index, delta, pe);
    }

    @Override
    public long getAndAdd(long index, long delta, int pe) {
        return extended(fetchWord("getAndAdd", AtomicOperation.ADD, index, delta, pe));
    }

    @Override
    public long getAndSet(long index, long value, int pe) {
        return extended(fetchWord("getAndSet", AtomicOperation.SWAP, index, value, pe));
    }

    @Override
    public long compareAndExchange(long index, long expected, long value, int pe) {
        return extended(swapWord("compareAndExchange", index, expected, value, pe));
    }

    @Override
    public void and(long index, long mask, int pe) {
        updateWord("and", AtomicOperation.AND, index, mask, pe);
    }

    @Override
    public long getAndBitwiseAnd(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseAnd", AtomicOperation.AND, index, mask, pe));
    }

    @Override
    public void or(long index, long mask, int pe) {
        updateWord("or", AtomicOperation.OR, index, mask, pe);
    }

    @Override
    public long getAndBitwiseOr(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseOr", AtomicOperation.OR, index, mask, pe));
    }

    @Override
    public void xor(long index, long mask, int pe) {
        updateWord("xor", AtomicOperation.XOR, index, mask, pe);
    }

    @Override
    public long getAndBitwiseXor(long index, long mask, int pe) {
        return extended(fetchWord("getAndBitwiseXor", AtomicOperation.XOR, index, mask, pe));
    }

    @Override
    public long fetchNbi(
            AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe) {
        if (operation == null) {
            throw ArgumentErrors.missing("fetchNbi", context, "operation");
        }
        return fetchWordNbi(operation, index, operand, result, resultIndex, pe);
    }

    @Override
    public long compareAndExchangeNbi(
            long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        return swapWordNbi(index, expected, value, result, resultIndex, pe);
    }

    @Override
    public long waitUntil(long index, Comparison comparison, long operand) {
        return Tracing.ON
                ? tracedAwait(index, comparison, operand, WaitingRoom.FOREVER)
                : await(index, comparison, operand, WaitingRoom.FOREVER);
    }

    @Override
    public long waitUntil(long index, Comparison comparison, long operand, Duration timeout) {
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
    public boolean test(long index, Comparison comparison, long operand) {
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
    public WaitSet waitSet(long index, int count) {
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
