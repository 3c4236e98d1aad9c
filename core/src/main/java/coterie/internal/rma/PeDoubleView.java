// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;

import coterie.AtomicOperation;
import coterie.Context;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.internal.mapped.MappedWords;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A view of `double`s, which travel as the words of their bits.
public final class PeDoubleView extends PeWordView implements DoubleView {

    PeDoubleView(PeContext context, PeMemory memory) {
        super(context, memory, ElementType.DOUBLE);
    }

    @Override
    public DoubleView slice(long index, long length) {
        return new PeDoubleView(context, sliced(index, length));
    }

    @Override
    public DoubleView through(Context other) {
        return new PeDoubleView(checked(other), memory);
    }

    @Override
    public double get(long index) {
        return value(MappedWords.load(mineToRead("get", index), shift));
    }

    @Override
    public void set(long index, double value) {
        MappedWords.store(mineToWrite("set", index), shift, word(value));
    }

    @Override
    public void set(long index, double[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_DOUBLE_UNALIGNED, sourceIndex, count);
    }

    @Override
    public void get(long index, double[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_DOUBLE_UNALIGNED, targetIndex, count);
    }

    @Override
    public double getAcquire(long index) {
        return value(acquireWord("getAcquire", index));
    }

    @Override
    public void setRelease(long index, double value) {
        releaseWord("setRelease", index, word(value));
    }

    @Override
    public double getAndAdd(long index, double delta) {
        return value(addWord("getAndAdd", index, delta, context.number));
    }

    @Override
    public double getAndSet(long index, double value) {
        return value(fetchWord("getAndSet", AtomicOperation.SWAP, index, word(value), context.number));
    }

    @Override
    public double compareAndExchange(long index, double expected, double value) {
        return compareAndExchange(index, expected, value, context.number);
    }

    @Override
    public double get(long index, int pe) {
        return value(loadWord("get", index, pe));
    }

    @Override
    public void put(long index, double value, int pe) {
        storeWord("put", index, word(value), pe);
    }

    @Override
    public void put(long index, double[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_DOUBLE_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, double[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_DOUBLE_UNALIGNED, targetIndex, count, pe);
    }

    @Override
    public double getAcquire(long index, int pe) {
        return value(fetchWord("getAcquire", AtomicOperation.FETCH, index, 0, pe));
    }

    @Override
    public void setRelease(long index, double value, int pe) {
        VarHandle.releaseFence(); // of the caller's stores to its own memory, whatever way the word goes
        updateWord("setRelease", AtomicOperation.SWAP, index, word(value), pe);
    }

    @Override
    public double getAndSet(long index, double value, int pe) {
        return value(fetchWord("getAndSet", AtomicOperation.SWAP, index, word(value), pe));
    }

    @Override
    public double compareAndExchange(long index, double expected, double value, int pe) {
        return value(swapWord("compareAndExchange", index, word(expected), word(value), pe));
    }

    @Override
    public void add(long index, double delta, int pe) {
        addWord("add", index, delta, pe);
    }

    @Override
    public double getAndAdd(long index, double delta, int pe) {
        return value(addWord("getAndAdd", index, delta, pe));
    }

    @Override
    public long fetchNbi(
            AtomicOperation operation, long index, double operand, MemorySegment result, long resultIndex, int pe) {
        if (operation == null) {
            throw ArgumentErrors.missing("fetchNbi", context, "operation");
        }
        return switch (operation) {
            case FETCH, SWAP -> fetchWordNbi(operation, index, word(operand), result, resultIndex, pe);
            case ADD -> {
                checkResult("fetchNbi", result, resultIndex);
                long before = addWord("fetchNbi", index, operand, pe);
                MappedWords.store(result, resultIndex << shift, shift, before);
                yield 0;
            }
            case AND, OR, XOR -> throw ArgumentErrors.unsuited("fetchNbi", this, operation);
        };
    }

    private long addWord(String name, long index, double delta, int pe) {
        long before = fetchWord(name, AtomicOperation.FETCH, index, 0, pe);
        while (true) {
            long found = swapWord(name, index, before, word(value(before) + delta), pe);
            if (found == before) {
                return before;
            }
            before = found;
        }
    }

    private static long word(double value) {
        return Double.doubleToRawLongBits(value);
    }

    private static double value(long word) {
        return Double.longBitsToDouble(word);
    }
}
