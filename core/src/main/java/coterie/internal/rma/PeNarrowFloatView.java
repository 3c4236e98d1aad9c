// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import coterie.Bfloat16;
import coterie.Context;
import coterie.ElementType;
import coterie.Float8;
import coterie.NarrowFloatView;
import coterie.internal.mapped.MappedWords;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.Tracing;
import java.lang.foreign.MemorySegment;

/// A view of floating-point numbers of 16 or 8 bits, which travel as they are, and become `float`s on the caller's
/// side.
final class PeNarrowFloatView extends PeWordView implements NarrowFloatView {
    /// Elements that go by a conduit at once.
    private static final int PIECE = 4096;

    PeNarrowFloatView(PeContext context, PeMemory memory, ElementType type) {
        super(context, memory, type);
    }

    @Override
    public NarrowFloatView slice(long index, long length) {
        return new PeNarrowFloatView(context, sliced(index, length), type());
    }

    @Override
    public NarrowFloatView through(Context other) {
        return new PeNarrowFloatView(checked(other), memory, type());
    }

    @Override
    public float get(long index) {
        return value((int) MappedWords.load(mineToRead("get", index), shift));
    }

    @Override
    public void set(long index, float value) {
        MappedWords.store(mineToWrite("set", index), shift, bits(value));
    }

    @Override
    public void set(long index, float[] source, long sourceIndex, long count) {
        long address = ownRange("set", index, count);
        checkArray("set", "source", source, sourceIndex, count);
        wroteOwn(index, count);
        store(source, (int) sourceIndex, (int) count, AddressSpace.ALL, address);
    }

    @Override
    public void get(long index, float[] target, long targetIndex, long count) {
        long address = ownRange("get", index, count);
        checkArray("get", "target", target, targetIndex, count);
        readOwn(index, count);
        load(AddressSpace.ALL, address, target, (int) targetIndex, (int) count);
    }

    @Override
    public float get(long index, int pe) {
        return value((int) loadWord("get", index, pe));
    }

    @Override
    public void put(long index, float value, int pe) {
        storeWord("put", index, bits(value), pe);
    }

    @Override
    public void put(long index, float[] source, long sourceIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("put", index, count, pe);
        checkArray("put", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            store(source, (int) sourceIndex, (int) count, AddressSpace.ALL, address);
        } else {
            MemorySegment piece = piece(count);
            for (long done = 0; done < count; done += PIECE) {
                int many = (int) Math.min(PIECE, count - done);
                store(source, (int) (sourceIndex + done), many, piece, 0);
                context.conduitPath.put(piece, 0, (long) many << shift, pe, place(index + done));
            }
        }
        if (Tracing.ON) {
            traced(began, EventKind.PUT, "put", index, count, pe);
        }
    }

    @Override
    public void get(long index, float[] target, long targetIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("get", index, count, pe);
        checkArray("get", "target", target, targetIndex, count);
        read(count << shift);
        if (address != 0) {
            load(AddressSpace.ALL, address, target, (int) targetIndex, (int) count);
        } else {
            MemorySegment piece = piece(count);
            for (long done = 0; done < count; done += PIECE) {
                int many = (int) Math.min(PIECE, count - done);
                context.conduitPath.get(pe, place(index + done), piece, 0, (long) many << shift);
                load(piece, 0, target, (int) (targetIndex + done), many);
            }
        }
        if (Tracing.ON) {
            traced(began, EventKind.GET, "get", index, count, pe);
        }
    }

    @Override
    public float getAndAdd(long index, float delta) {
        return addWord("getAndAdd", index, delta, context.number);
    }

    @Override
    public void add(long index, float delta, int pe) {
        addWord("add", index, delta, pe);
    }

    @Override
    public float getAndAdd(long index, float delta, int pe) {
        return addWord("getAndAdd", index, delta, pe);
    }

    private float addWord(String name, long index, float delta, int pe) {
        if (shift == 0) {
            throw ArgumentErrors.unsuited(name, this, AtomicOperation.ADD);
        }
        long before = fetchWord(name, AtomicOperation.FETCH, index, 0, pe);
        while (true) {
            float value = value((int) before);
            long found = swapWord(name, index, before, Short.toUnsignedLong((short) bits(value + delta)), pe);
            if ((short) found == (short) before) {
                return value;
            }
            before = found;
        }
    }

    private MemorySegment piece(long count) {
        return MemorySegment.ofArray(new byte[(int) Math.min(PIECE, count) << shift]);
    }

    private void store(float[] source, int from, int count, MemorySegment target, long to) {
        switch (type()) {
            case HALF -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_SHORT_UNALIGNED, to + 2L * i, Float.floatToFloat16(source[from + i]));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_SHORT_UNALIGNED, to + 2L * i, Bfloat16.of(source[from + i]));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    target.set(JAVA_BYTE, to + i, (byte) bits(source[from + i]));
                }
            }
        }
    }

    private void load(MemorySegment source, long from, float[] target, int to, int count) {
        switch (type()) {
            case HALF -> {
                for (int i = 0; i < count; i++) {
                    target[to + i] = Float.float16ToFloat(source.get(JAVA_SHORT_UNALIGNED, from + 2L * i));
                }
            }
            case BFLOAT16 -> {
                for (int i = 0; i < count; i++) {
                    target[to + i] = Bfloat16.toFloat(source.get(JAVA_SHORT_UNALIGNED, from + 2L * i));
                }
            }
            default -> {
                for (int i = 0; i < count; i++) {
                    target[to + i] = value(source.get(JAVA_BYTE, from + i));
                }
            }
        }
    }

    private int bits(float value) {
        return switch (type()) {
            case HALF -> Float.floatToFloat16(value);
            case BFLOAT16 -> Bfloat16.of(value);
            case FLOAT8_E4M3 -> Float8.toE4m3(value);
            case FLOAT8_E5M2 -> Float8.toE5m2(value);
            default -> throw new AssertionError(type());
        };
    }

    private float value(int bits) {
        return switch (type()) {
            case HALF -> Float.float16ToFloat((short) bits);
            case BFLOAT16 -> Bfloat16.toFloat((short) bits);
            case FLOAT8_E4M3 -> Float8.fromE4m3((byte) bits);
            case FLOAT8_E5M2 -> Float8.fromE5m2((byte) bits);
            default -> throw new AssertionError(type());
        };
    }
}
