// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.spi.WordNames;

/// A view of symmetric memory as integers of 2 bytes, an [IntegerView], which copies from and to arrays of `short`.
/// Only Coterie implements it.
public interface ShortView extends IntegerView {

    @Override
    ShortView through(Context context);

    @Override
    ShortView slice(long index, long length);

    @Override
    ShortView writtenBy(int... pes);

    @Override
    ShortView named(WordNames names);

    @Override
    ShortView unsigned();

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, short[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, short[] target, long targetIndex, long count);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, short[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, short[] target, long targetIndex, long count, int pe);
}
