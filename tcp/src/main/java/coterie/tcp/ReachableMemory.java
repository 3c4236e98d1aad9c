// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The memory of this PE that peers reach, and the check that a message stays in it. A place in a message is the
/// base of a region plus an offset, the same on all PEs; no message has an address.
final class ReachableMemory {
    static final long SYNC_BASE = 1L << 61;
    static final long HEAP_BASE = 1L << 62;

    final MemorySegment sync;
    private final ByteBuffer[] syncViews;
    private volatile @Nullable MemorySegment heap;
    private ByteBuffer[] heapViews = new ByteBuffer[0];

    ReachableMemory(MemorySegment sync) {
        this.sync = sync;
        this.syncViews = views(sync);
    }

    void heap(MemorySegment made) {
        heapViews = views(made);
        heap = made;
    }

    private static ByteBuffer[] views(MemorySegment region) {
        long size = region.byteSize();
        ByteBuffer[] views = new ByteBuffer[(int) ((size + ProcessMemory.VIEW_BYTES - 1) / ProcessMemory.VIEW_BYTES)];
        for (int i = 0; i < views.length; i++) {
            long from = i * ProcessMemory.VIEW_BYTES;
            views[i] = region.asSlice(from, Math.min(ProcessMemory.VIEW_BYTES, size - from))
                    .asByteBuffer();
        }
        return views;
    }

    static long remoteBase(Region region) {
        return region == Region.SYNC ? SYNC_BASE : HEAP_BASE;
    }

    /// Returns the address of a region, or 0 if it does not exist yet.
    long address(Region region) {
        MemorySegment made = heap;
        return region == Region.SYNC ? sync.address() : made == null ? 0 : made.address();
    }

    /// Returns the region of a place.
    ///
    /// @throws ProtocolException if bytes from there on are not all in it
    MemorySegment region(long remote, long length) throws ProtocolException {
        MemorySegment region = remote >= HEAP_BASE ? heap : sync;
        long offset = offset(remote);
        if (region == null || offset < 0 || length < 0 || offset > region.byteSize() - length) {
            throw new ProtocolException(length + " bytes at offset " + offset + " of the region "
                    + (remote >= HEAP_BASE ? Region.HEAP : Region.SYNC) + ", which has "
                    + (region == null ? 0 : region.byteSize()) + " bytes");
        }
        return region;
    }

    /// Returns the heap, which exists where [#region] has returned it before.
    MemorySegment heap() {
        return Objects.requireNonNull(heap, "no heap");
    }

    /// Returns the region of a word.
    ///
    /// @throws ProtocolException if the word is not all in it, or there are no such words
    MemorySegment regionOfWord(long remote, int width) throws ProtocolException {
        if (Integer.bitCount(width) != 1 || width > Long.BYTES || (remote & width - 1) != 0) {
            throw new ProtocolException("a word of " + width + " bytes at offset " + offset(remote));
        }
        return region(remote, width);
    }

    static long offset(long remote) {
        return remote - (remote >= HEAP_BASE ? HEAP_BASE : SYNC_BASE);
    }

    /// Returns a view of memory from a place on by which a socket stores bytes in place: of `length` bytes, or
    /// fewer.
    ///
    /// @param remote of bytes that [#region] has checked
    ByteBuffer view(long remote, long length) {
        long offset = offset(remote);
        ByteBuffer view = (remote >= HEAP_BASE ? heapViews : syncViews)[(int) (offset / ProcessMemory.VIEW_BYTES)];
        int from = (int) (offset % ProcessMemory.VIEW_BYTES);
        return view.limit((int) Math.min(view.capacity(), from + length)).position(from);
    }
}
