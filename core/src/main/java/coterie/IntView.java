// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.spi.WordNames;

/// A view of symmetric memory as integers of 4 bytes, an [IntegerView], which copies from and to arrays of `int`.
/// Only Coterie implements it.
public interface IntView extends IntegerView {

    @Override
    IntView through(Context context);

    @Override
    IntView slice(long index, long length);

    @Override
    IntView writtenBy(int... pes);

    @Override
    IntView named(WordNames names);

    @Override
    IntView unsigned();

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, int[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, int[] target, long targetIndex, long count);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, int[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, int[] target, long targetIndex, long count, int pe);
}
