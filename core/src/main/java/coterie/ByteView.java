// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.spi.WordNames;

/// A view of symmetric memory as integers of 1 byte, an [IntegerView], which copies from and to arrays of `byte`.
/// Only Coterie implements it.
public interface ByteView extends IntegerView {

    @Override
    ByteView through(Context context);

    @Override
    ByteView slice(long index, long length);

    @Override
    ByteView writtenBy(int... pes);

    @Override
    ByteView named(WordNames names);

    @Override
    ByteView unsigned();

    /// Copies elements of an array to the caller's own, as [ElementView#set] does those of a segment.
    void set(long index, byte[] source, long sourceIndex, long count);

    /// Copies the caller's own elements to an array, as [ElementView#get(long, MemorySegment, long, long)] does to
    /// a segment.
    void get(long index, byte[] target, long targetIndex, long count);

    /// Copies elements of an array to a PE, as [ElementView#put] does those of a segment.
    void put(long index, byte[] source, long sourceIndex, long count, int pe);

    /// Copies a PE's elements to an array, as [ElementView#get] does to a segment.
    void get(long index, byte[] target, long targetIndex, long count, int pe);
}
