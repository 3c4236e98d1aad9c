// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.ElementView;
import coterie.SymmetricMemory;
import org.jspecify.annotations.Nullable;

/// Places in symmetric memory as collectives name them: the same on every PE, so an offset in the heap.
public final class HeapOffsets {
    private HeapOffsets() {}

    /// Where a block lies in every PE's heap.
    public static long offsetOf(SymmetricMemory memory) {
        return ((PeMemory) memory).offset;
    }

    /// The block behind a view, or null if no world has made it.
    public static @Nullable PeMemory blockIfAny(ElementView view) {
        return view instanceof PeElementView elements ? elements.memory : null;
    }

    /// The block behind a view.
    ///
    /// @throws IllegalArgumentException if it is no view that a world has made
    public static PeMemory blockOf(ElementView view) {
        if (view instanceof PeElementView elements) {
            return elements.memory;
        }
        throw new IllegalArgumentException(view + " is no view of symmetric memory");
    }
}
