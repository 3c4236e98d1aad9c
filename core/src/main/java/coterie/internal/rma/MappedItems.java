// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.ElementView;
import coterie.LongView;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.Tracing;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// Items in memory of a PE that the caller loads and stores, each with a word that tells of it. What a view checks at
/// each call, and no call can change, is checked once here: which PE, whether its memory is mapped, where a word and
/// an item begin.
///
/// Before each call the caller checks that the block is alive, that the indices are in their views, and that
/// [#isUsable] holds; if it does not, a view has the operation, and its error.
public final class MappedItems {
    private final PeContext context;
    private final PeElementView items;
    private final int shift;
    private final long first;
    private final long firstWord;

    private MappedItems(PeElementView items, long first, long firstWord) {
        this.context = items.context;
        this.items = items;
        this.shift = items.shift;
        this.first = first;
        this.firstWord = firstWord;
    }

    /// Returns the items at a PE, or nothing if the caller can't load and store them, or each access has to be
    /// traced or observed.
    ///
    /// @param items in the default context, which orders and completes plain stores
    public static Optional<MappedItems> at(int pe, ElementView items, LongView words) {
        if (Tracing.ON
                || !(items instanceof PeElementView view)
                || !(words instanceof PeElementView wordView)
                || view.context.runtime.observer() != null) {
            return Optional.empty();
        }
        long first = view.range("items", 0, 0, pe);
        long firstWord = wordView.range("items", 0, 0, pe);
        return first == 0 || firstWord == 0 ? Optional.empty() : Optional.of(new MappedItems(view, first, firstWord));
    }

    /// Returns whether the calling thread may use the items, and their context is open.
    public boolean isUsable() {
        return !context.isForeign() && !context.isClosed();
    }

    /// Copies an item to the PE, and sets its word, which is visible after the item.
    public void put(long index, MemorySegment source, long sourceIndex, long count, long word, long value) {
        items.copyFrom("putSignal", source, sourceIndex, first + (index << shift), count);
        items.wrote(count << shift);
        AddressSpace.setLongRelease(firstWord + word * Long.BYTES, value);
    }

    /// Loads a word: with a value of a [#put], the item is visible.
    public long word(long index) {
        return AddressSpace.getLongAcquire(firstWord + index * Long.BYTES);
    }

    /// Copies an item from the PE.
    public void get(long index, MemorySegment target, long targetIndex, long count) {
        items.copyInto("get", first + (index << shift), target, targetIndex, count);
    }
}
