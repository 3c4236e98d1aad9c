// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import java.lang.foreign.MemorySegment;

/// One reduction of one type.
interface ReductionLoop {
    /// As [coterie.internal.kernel.Kernels#fold], but of whole vectors: returns how many bytes it has done.
    int fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            int length);
}
