// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import java.lang.foreign.MemorySegment;

/// The loop of one reduction and one type.
interface ReductionLoop {
    /// Reduces whole vectors with the parameters of [coterie.internal.kernel.Kernels#fold]. Returns the number of
    /// bytes that it has reduced.
    int fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            int length);
}
