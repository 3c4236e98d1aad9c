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

    /// Fills elements with the identity.
    void clear(MemorySegment target, long at, long length);

    /// Makes results of elements that have been reduced, in place. Nothing is to do for most.
    default void finish(MemorySegment target, long at, long length) {}
}
