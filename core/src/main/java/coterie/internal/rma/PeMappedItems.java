// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.LongView;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.Tracing;
import coterie.spi.MappedItems;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Items that the caller loads and stores by itself, at addresses that no call can change.
final class PeMappedItems implements MappedItems {
    private final PeContext context;
    private final PeElementView items;
    private final int shift;
    private final long first;
    private final long firstWord;

    private PeMappedItems(PeElementView items, long first, long firstWord) {
        this.context = items.context;
        this.items = items;
        this.shift = items.shift;
        this.first = first;
        this.firstWord = firstWord;
    }

    /// Does [MappedItems#at].
    static Optional<MappedItems> at(int pe, PeElementView items, LongView words) {
        if (Tracing.ON || !(words instanceof PeElementView wordView) || items.context.runtime.observer() != null) {
            return Optional.empty();
        }
        long first = items.range("items", 0, 0, pe);
        long firstWord = wordView.range("items", 0, 0, pe);
        return first == 0 || firstWord == 0
                ? Optional.empty()
                : Optional.of(new PeMappedItems(items, first, firstWord));
    }

    @Override
    public boolean isUsable() {
        return !context.isForeign() && !context.isClosed();
    }

    @Override
    public void put(long index, MemorySegment source, long sourceIndex, long count, long word, long value) {
        items.copyFrom("putSignal", source, sourceIndex, first + (index << shift), count);
        items.wrote(count << shift);
        AddressSpace.setLongRelease(firstWord + word * Long.BYTES, value);
    }

    @Override
    public long word(long index) {
        return AddressSpace.getLongAcquire(firstWord + index * Long.BYTES);
    }

    @Override
    public void get(long index, MemorySegment target, long targetIndex, long count) {
        items.copyInto("get", first + (index << shift), target, targetIndex, count);
    }
}
