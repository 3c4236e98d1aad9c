// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// Where the words of an all-to-all's block are, as words of a rank's resource window:
///
/// ```
///  word 0          1          8
///       │ epochs   │ in use   │ epoch 0: slot 0, slot 1 …      │ epoch 1: slot 0, slot 1 …      │
///                               each slot: │ value │ tag │       odd epochs use these
/// ```
///
/// Words 0 and 1 are the rank's own; peers write the slots.
final class AllToAllSlots {
    static final long ALIGNMENT = 64;

    private static final int HEAD = 8;
    private static final int SLOT_WORDS = 2;
    private static final int PARITIES = 2;

    final int count;
    private final long base;

    /// @param base of the block, in words of the window, the same on all ranks
    /// @param count of slots
    AllToAllSlots(long base, int count) {
        this.base = base;
        this.count = count;
    }

    /// Returns the words of a block with so many slots, a multiple of a cache line's.
    static long words(int slots) {
        long words = HEAD + (long) PARITIES * SLOT_WORDS * slots;
        return (words + HEAD - 1) / HEAD * HEAD;
    }

    /// Returns the word that counts the epochs that are over.
    long epochs() {
        return base;
    }

    /// Returns the word that is 1 while a session uses the block.
    long use() {
        return base + 1;
    }

    long value(long epoch, int slot) {
        return base + HEAD + SLOT_WORDS * ((epoch % PARITIES) * count + slot);
    }

    /// Returns the word that tells of which epoch the value is, and of which sender.
    long tag(long epoch, int slot) {
        return value(epoch, slot) + 1;
    }
}
