// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import coterie.ByteView;
import coterie.Context;
import coterie.ElementType;
import coterie.internal.wait.AwaitedMemory;
import coterie.spi.WordNames;

/// A view of integers of 1 byte.
final class PeByteView extends PeIntegerView implements ByteView {

    PeByteView(PeContext context, PeMemory memory, ElementType type, AwaitedMemory awaited) {
        super(context, memory, type, awaited);
    }

    @Override
    public ByteView slice(long index, long length) {
        return new PeByteView(context, sliced(index, length), type(), awaited());
    }

    @Override
    public ByteView through(Context other) {
        return new PeByteView(checked(other), memory, type(), awaited());
    }

    @Override
    public ByteView writtenBy(int... pes) {
        return new PeByteView(context, memory, type(), written(pes));
    }

    @Override
    public ByteView named(WordNames names) {
        return new PeByteView(context, memory, type(), withNames(names));
    }

    @Override
    public ByteView unsigned() {
        return new PeByteView(context, memory, ElementType.UNSIGNED_BYTE, awaited());
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
    public void put(long index, byte[] source, long sourceIndex, long count, int pe) {
        putArray(index, source, JAVA_BYTE, sourceIndex, count, pe);
    }

    @Override
    public void get(long index, byte[] target, long targetIndex, long count, int pe) {
        getArray(index, target, JAVA_BYTE, targetIndex, count, pe);
    }
}
