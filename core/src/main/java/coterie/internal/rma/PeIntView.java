// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import coterie.Context;
import coterie.ElementType;
import coterie.IntView;
import coterie.internal.wait.AwaitedMemory;
import coterie.spi.WordNames;

/// A view of integers of 4 bytes.
final class PeIntView extends PeIntegerView implements IntView {

    PeIntView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type, awaited);
    }

    @Override
    public IntView slice(long index, long length) {
        return new PeIntView(context, sliced(index, length), type(), awaited());
    }

    @Override
    public IntView through(Context other) {
        return new PeIntView(checked(other), memory, type(), awaited());
    }

    @Override
    public IntView writtenBy(int... pes) {
        return new PeIntView(context, memory, type(), written(pes));
    }

    @Override
    public IntView named(WordNames names) {
        return new PeIntView(context, memory, type(), withNames(names));
    }

    @Override
    public IntView unsigned() {
        return new PeIntView(context, memory, ElementType.UNSIGNED_INT, awaited());
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
    public void put(long index, int[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_INT_UNALIGNED, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, int[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_INT_UNALIGNED, targetIndex, count, pe);
    }
}
