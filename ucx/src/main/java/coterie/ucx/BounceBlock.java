// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// Native memory through which bytes of Java arrays travel, since UCX takes addresses only.
final class BounceBlock {
    /// Large enough that the cost of an operation does not count, small enough for the L2 cache.
    static final int BYTES = 1 << 17;

    final MemorySegment memory;

    @Nullable
    BounceBlock next;

    BounceBlock(MemorySegment memory) {
        this.memory = memory;
    }
}
