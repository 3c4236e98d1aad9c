// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementView;
import coterie.LongView;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;

/// Items in memory of a PE that the caller loads and stores by itself, each with a word that tells of it. What a view
/// checks at each call, and no call can change, is checked once here: which PE, whether its memory is mapped, where a
/// word and an item begin. For channels and other faces whose items are small; only Coterie implements it.
///
/// Before each call the caller checks that the block is alive, that the indices are in their views, and that
/// [#isUsable] holds; if it does not, a view has the operation, and its error. Threads: as the views.
public interface MappedItems {

    /// A view that may have such items.
    interface Source {
        /// Does [MappedItems#at].
        Optional<MappedItems> mappedItems(int pe, LongView words);
    }

    /// Returns the items at a PE, or nothing if the caller can't load and store them, or each access has to be traced
    /// or observed.
    ///
    /// @param pe number in the team of the views
    /// @param items in the default context, which orders and completes plain stores
    /// @param words of the same block
    static Optional<MappedItems> at(int pe, ElementView items, LongView words) {
        Objects.requireNonNull(items, "MappedItems.at: items is null");
        Objects.requireNonNull(words, "MappedItems.at: words is null");
        return items instanceof Source source ? source.mappedItems(pe, words) : Optional.empty();
    }

    /// Returns whether the calling thread may use the items, and their context is open.
    boolean isUsable();

    /// Copies an item to the PE, and sets its word, which is visible after the item.
    ///
    /// @param index of the first element
    /// @param count of elements
    /// @param word its index
    void put(long index, MemorySegment source, long sourceIndex, long count, long word, long value);

    /// Loads a word: with a value of a [#put], the item is visible.
    long word(long index);

    /// Copies an item from the PE.
    ///
    /// @param index of the first element
    /// @param count of elements
    void get(long index, MemorySegment target, long targetIndex, long count);
}
