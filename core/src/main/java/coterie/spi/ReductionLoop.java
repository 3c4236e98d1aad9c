// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.foreign.MemorySegment;

/// The loop of one reduction of one element type; see [ReductionLoops].
public interface ReductionLoop {
    /// Reduces as [Kernels#fold], as many whole steps as fit, and returns how many bytes these are.
    ///
    /// @param length bytes on the right; a step is an element, or the elements of a vector
    int fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            int length);
}
