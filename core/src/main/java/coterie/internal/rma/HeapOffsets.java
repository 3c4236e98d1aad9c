// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.ElementView;
import coterie.SymmetricMemory;
import coterie.internal.record.RecordedAllocation;
import org.jspecify.annotations.Nullable;

/// Offsets in the symmetric heap, by which collectives name memory: a block has the same offset on every PE.
public final class HeapOffsets {
    private HeapOffsets() {}

    /// Returns the offset of a block in every PE's heap.
    public static long offsetOf(SymmetricMemory memory) {
        return ((PeMemory) memory).offset;
    }

    /// Returns how reports name a block, or the block of a slice.
    public static RecordedAllocation allocationOf(SymmetricMemory memory) {
        return ((PeMemory) memory).allocation();
    }

    /// Returns the world numbers of the PEs that may write what a view or a signal shows, as far as a program has
    /// told; null for all.
    public static int @Nullable [] writersOf(Object words) {
        return switch (words) {
            case PeIntegerView view -> view.writers();
            case PeSignalWord signal -> signal.writers();
            default -> null;
        };
    }

    /// Returns the block or slice of a view, or null if no world made the view.
    public static @Nullable PeMemory blockIfAny(ElementView view) {
        return view instanceof PeElementView elements ? elements.memory : null;
    }

    /// Returns the block or slice of a view.
    ///
    /// @throws IllegalArgumentException if no world made the view
    public static PeMemory blockOf(ElementView view) {
        if (view instanceof PeElementView elements) {
            return elements.memory;
        }
        throw new IllegalArgumentException(view + " is not a view of symmetric memory");
    }
}
