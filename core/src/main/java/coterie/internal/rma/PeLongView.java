// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import coterie.Context;
import coterie.ElementType;
import coterie.LongView;
import coterie.internal.wait.AwaitedMemory;
import coterie.spi.WordNames;

/// A view of integers of 8 bytes.
final class PeLongView extends PeIntegerView implements LongView {

    PeLongView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type, awaited);
    }

    @Override
    public LongView slice(long index, long length) {
        return new PeLongView(context, sliced(index, length), type(), awaited());
    }

    @Override
    public PeLongView through(Context other) {
        return new PeLongView(checked(other), memory, type(), awaited());
    }

    @Override
    public PeLongView writtenBy(int... pes) {
        return new PeLongView(context, memory, type(), written(pes));
    }

    @Override
    public LongView named(WordNames names) {
        return new PeLongView(context, memory, type(), withNames(names));
    }

    @Override
    public LongView unsigned() {
        return new PeLongView(context, memory, ElementType.UNSIGNED_LONG, awaited());
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
    public void put(long index, long[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_LONG_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, long[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_LONG_UNALIGNED, targetIndex, count, pe);
    }
}
