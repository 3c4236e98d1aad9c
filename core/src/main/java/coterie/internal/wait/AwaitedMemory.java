// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.internal.record.RecordedAllocation;
import org.jspecify.annotations.Nullable;

/// The memory of awaited words, and the PEs that may write them. A wait ends with an error when its memory is freed,
/// before a later block at the same addresses can satisfy it.
public interface AwaitedMemory {
    /// Returns whether the memory is freed, or its world closed.
    boolean isFreed();

    /// Returns the world numbers of the PEs that may write the words, or null if any PE may.
    default int @Nullable [] writers() {
        return null;
    }

    /// Returns the allocation of the memory, by which reports name words that have no other name, or null. Called
    /// in waits that last, and for messages.
    default @Nullable RecordedAllocation allocation() {
        return null;
    }

    /// Returns what is known of a word, or null. Called in waits that last, and for messages.
    ///
    /// @param address in the memory of this PE
    default @Nullable AwaitedWord describe(long address) {
        return null;
    }
}
