// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import coterie.ElementType;
import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Loops that reduce the elements of two buffers. [KernelChoice] says which ones this JVM has; all of them give
/// the same results.
public interface Kernels {
    /// Makes each element of the target the reduction of those at its place on the left and on the right. Segments
    /// may be of the heap or native; the first elements lie where their type may.
    ///
    /// @param target of the results; begins where the left or the right ones do, or is apart from both
    /// @param to offset of the first result
    /// @param left elements of the members before
    /// @param leftFrom offset of the first of them
    /// @param right elements of the member that follows
    /// @param rightFrom offset of the first of them
    /// @param length bytes, whole elements
    void fold(
            Reduction reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length);
}
