// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import coterie.AtomicOperation;
import coterie.Context;
import coterie.ElementType;
import coterie.FloatView;
import coterie.internal.mapped.MappedWords;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A view of `float`s, which travel as the words of their bits.
public final class PeFloatView extends PeWordView implements FloatView {

    PeFloatView(PeContext context, PeMemory memory) {
        super(context, memory, ElementType.FLOAT);
    }

    @Override
    public FloatView slice(long index, long length) {
        return new PeFloatView(context, sliced(index, length));
    }

    @Override
    public FloatView through(Context other) {
        return new PeFloatView(checked(other), memory);
    }

    @Override
    public float get(long index) {
        return value(MappedWords.load(mineToRead("get", index), shift));
    }

    @Override
    public void set(long index, float value) {
        MappedWords.store(mineToWrite("set", index), shift, word(value));
    }

    @Override
    public void set(long index, float[] source, long sourceIndex, long count) {
        setArray(index, source, JAVA_FLOAT_UNALIGNED, sourceIndex, count);
    }

    @Override
    public void get(long index, float[] target, long targetIndex, long count) {
        getOwnArray(index, target, JAVA_FLOAT_UNALIGNED, targetIndex, count);
    }

    @Override
    public float getAcquire(long index) {
        return value(acquireWord("getAcquire", index));
    }

    @Override
    public void setRelease(long index, float value) {
        releaseWord("setRelease", index, word(value));
    }

    @Override
    public float getAndAdd(long index, float delta) {
        return value(addWord("getAndAdd", index, delta, context.number));
    }

    @Override
    public float getAndSet(long index, float value) {
        return value(fetchWord("getAndSet", AtomicOperation.SWAP, index, word(value), context.number));
    }

    @Override
    public float compareAndExchange(long index, float expected, float value) {
        return compareAndExchange(index, expected, value, context.number);
    }

    @Override
    public float get(long index, int pe) {
        return value(loadWord("get", index, pe));
    }

    @Override
    public void put(long index, float value, int pe) {
        storeWord("put", index, word(value), pe);
    }

    @Override
    public void put(long index, float[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_FLOAT_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, float[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_FLOAT_UNALIGNED, targetIndex, count, pe);
    }

    @Override
    public float getAcquire(long index, int pe) {
        return value(fetchWord("getAcquire", AtomicOperation.FETCH, index, 0, pe));
    }

    @Override
    public void setRelease(long index, float value, int pe) {
        VarHandle.releaseFence(); // of the caller's stores to its own memory, whatever way the word goes
        updateWord("setRelease", AtomicOperation.SWAP, index, word(value), pe);
    }

    @Override
    public float getAndSet(long index, float value, int pe) {
        return value(fetchWord("getAndSet", AtomicOperation.SWAP, index, word(value), pe));
    }

    @Override
    public float compareAndExchange(long index, float expected, float value, int pe) {
        return value(swapWord("compareAndExchange", index, word(expected), word(value), pe));
    }

    @Override
    public void add(long index, float delta, int pe) {
        addWord("add", index, delta, pe);
    }

    @Override
    public float getAndAdd(long index, float delta, int pe) {
        return value(addWord("getAndAdd", index, delta, pe));
    }

    @Override
    public long fetchNbi(
            AtomicOperation operation, long index, float operand, MemorySegment result, long resultIndex, int pe) {
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

    private long addWord(String name, long index, float delta, int pe) {
        long before = fetchWord(name, AtomicOperation.FETCH, index, 0, pe);
        while (true) {
            long found = swapWord(name, index, before, word(value(before) + delta), pe);
            if (found == before) {
                return before;
            }
            before = found;
        }
    }

    private static long word(float value) {
        return Integer.toUnsignedLong(Float.floatToRawIntBits(value));
    }

    private static float value(long word) {
        return Float.intBitsToFloat((int) word);
    }
}
