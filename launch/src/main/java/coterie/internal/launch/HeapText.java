// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.memory.Allocator;
import coterie.internal.memory.SizeText;
import java.util.OptionalLong;

/// The symmetric memory of each PE as users write it, for the command line.
public final class HeapText {
    /// What a size looks like, for messages.
    public static final String FORMS = SizeText.FORMS;

    private HeapText() {}

    /// Reads a size in bytes, in `[0, 2^63)`, as OpenSHMEM reads `SHMEM_SYMMETRIC_SIZE`: it rounds a fraction of a
    /// byte up, and ignores letters after the unit. Empty if the text is no size.
    public static OptionalLong parse(String text) {
        return SizeText.parseHeap(text);
    }

    /// Returns a size rounded up to what blocks are rounded to, so that one block of all of it fits.
    ///
    /// @param bytes less than 2^62
    public static long ofBlocks(long bytes) {
        return Math.ceilDiv(bytes, Allocator.GRANULE) * Allocator.GRANULE;
    }

    /// Returns the shortest exact text, such as "512m".
    public static String format(long bytes) {
        return SizeText.format(bytes);
    }
}
