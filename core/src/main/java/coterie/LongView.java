// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.spi.WordNames;

/// A view of symmetric memory as integers of 8 bytes, an [IntegerView], which copies from and to arrays of `long`.
/// Only Coterie implements it.
public interface LongView extends IntegerView {

    @Override
    LongView through(Context context);

    @Override
    LongView slice(long index, long length);

    @Override
    LongView writtenBy(int... pes);

    @Override
    LongView named(WordNames names);

    @Override
    LongView unsigned();

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, long[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, long[] target, long targetIndex, long count);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, long[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, long[] target, long targetIndex, long count, int pe);
}
