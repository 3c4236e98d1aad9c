// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory of this PE that peers reach, and the check that a message stays in it.
final class OwnRegions {
    final MemorySegment sync;
    private volatile @Nullable MemorySegment heap;

    OwnRegions(MemorySegment sync) {
        this.sync = sync;
    }

    void heap(MemorySegment made) {
        heap = made;
    }

    /// Returns the address of a region, or 0 if it does not exist yet.
    long base(Region region) {
        MemorySegment made = heap;
        return region == Region.SYNC ? sync.address() : made == null ? 0 : made.address();
    }

    /// @throws IndexOutOfBoundsException if bytes at an address are not in a region
    void check(long address, long length) {
        MemorySegment made = heap;
        if (!contains(sync, address, length) && (made == null || !contains(made, address, length))) {
            throw new IndexOutOfBoundsException(
                    length + " bytes at address " + Long.toHexString(address) + " are in neither region of this PE");
        }
    }

    private static boolean contains(MemorySegment region, long address, long length) {
        long offset = address - region.address();
        return length >= 0 && offset >= 0 && offset <= region.byteSize() - length;
    }
}
