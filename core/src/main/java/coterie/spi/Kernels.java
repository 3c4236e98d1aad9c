// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.ElementType;
import java.lang.foreign.MemorySegment;

/// Loops that reduce the elements of two buffers. A [KernelProvider] brings them; all kernels give the same bits.
///
/// Threads: any, at the same time.
public interface Kernels {
    /// Makes each element of the target the reduction of those at its place on the left and on the right. Segments
    /// are of the Java heap or native; elements are aligned as their type is. The reductions AND, OR and XOR reduce
    /// bits, whatever the type. 16-bit numbers are reduced as `float`s; a NaN becomes 0x7E00 of HALF, and 0x7FC0 of
    /// BFLOAT16.
    ///
    /// The steps of one sequence have the same length. Accumulators may be in an order of the kernels' own.
    ///
    /// @param target of the results; the same bytes as the left or the right elements, or apart from both.
    ///     Elements may begin where the accumulators do that they are made of; wide accumulators are apart from
    ///     elements that they are made of
    /// @param to offset of the first result
    /// @param left elements of the members before
    /// @param leftFrom offset of the first of them
    /// @param right elements of the member that follows
    /// @param rightFrom offset of the first of them
    /// @param length bytes on the right, whole elements
    void fold(
            FoldStep step,
            ReductionKind reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length);
}
