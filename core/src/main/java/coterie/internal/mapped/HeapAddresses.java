// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.internal.posix.Libc;
import org.jspecify.annotations.Nullable;

/// Where in this process the heaps of a job's PEs lie: at the same addresses in every world of a PE, since a
/// closed world keeps its addresses mapped, and fresh ones for each would run out.
public final class HeapAddresses {
    private final int size;

    /// Per PE; made when the first is kept, since PEs on a network keep none.
    private long @Nullable [] kept;

    /// Addresses for a job of `size` PEs, none taken yet.
    public HeapAddresses(int size) {
        this.size = size;
    }

    /// Moves what has just been mapped to where this PE's heap lay before. Returns the address it has from now on.
    ///
    /// @param byteSize the same in every world of a job
    long fix(int pe, long mapped, long byteSize) {
        long[] addresses = kept;
        if (addresses == null) {
            addresses = new long[size];
            kept = addresses;
        }
        if (addresses[pe] == 0) {
            addresses[pe] = mapped;
        } else {
            Libc.move(mapped, byteSize, addresses[pe]);
        }
        return addresses[pe];
    }
}
