// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.internal.posix.Libc;

/// Where in this process the heaps of a job's PEs lie: at the same addresses in every world of a PE, since a closed
/// world keeps its addresses mapped, and fresh ones for each would run out.
public final class HeapAddresses {
    private final long[] kept;

    /// Addresses for a job of `size` PEs, none taken yet.
    public HeapAddresses(int size) {
        this.kept = new long[size];
    }

    /// Moves what has just been mapped to where this PE's heap lay before. Returns the address it has from now on.
    ///
    /// @param byteSize the same in every world of a job
    long settle(int pe, long mapped, long byteSize) {
        if (kept[pe] == 0) {
            kept[pe] = mapped;
        } else {
            Libc.move(mapped, byteSize, kept[pe]);
        }
        return kept[pe];
    }
}
