// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import java.lang.foreign.MemorySegment;

/// What a reduction does with elements. Offsets and lengths are in bytes, and whole elements.
public interface Operator {

    /// Reduces the left elements with the right ones, in this order.
    ///
    /// @param target begins where one of the others does, or is apart from both
    void fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length);

    /// Reduces the elements of several members at once, in the order in which they are given. Needed where accumulators
    /// are wider than elements alone.
    ///
    /// @param target the address; one of the operands, or apart from all
    /// @param operands the addresses of the first `count`
    /// @param accumulators at least 1 KiB of native memory, apart from all of them
    default void foldAll(long target, long[] operands, int count, long length, MemorySegment accumulators) {
        throw new AssertionError(this + " has no accumulators of its own");
    }

    /// Fills elements with the identity.
    void clear(MemorySegment target, long at, long length);

    /// Makes results of elements that have been reduced, in place. Nothing is to do for most.
    default void finish(MemorySegment target, long at, long length) {}
}
