// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.Context;
import coterie.ElementType;
import coterie.ShortView;
import coterie.internal.wait.AwaitedMemory;
import coterie.spi.WordNames;

/// A view of integers of 2 bytes.
final class PeShortView extends PeIntegerView implements ShortView {

    PeShortView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type, awaited);
    }

    @Override
    public ShortView slice(long index, long length) {
        return new PeShortView(context, sliced(index, length), type(), awaited());
    }

    @Override
    public ShortView through(Context other) {
        return new PeShortView(checked(other), memory, type(), awaited());
    }

    @Override
    public ShortView writtenBy(int... pes) {
        return new PeShortView(context, memory, type(), written(pes));
    }

    @Override
    public ShortView named(WordNames names) {
        return new PeShortView(context, memory, type(), withNames(names));
    }

    @Override
    public ShortView unsigned() {
        return new PeShortView(context, memory, ElementType.UNSIGNED_SHORT, awaited());
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
    public void put(long index, short[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_SHORT_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, short[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_SHORT_UNALIGNED, targetIndex, count, pe);
    }
}
