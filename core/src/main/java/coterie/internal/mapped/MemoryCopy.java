// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.ForeignCopy;
import java.lang.foreign.MemorySegment;

/// Copies between mapped memory, by size class.
///
/// | bytes | how | why |
/// |--:|---|---|
/// | 8 | one load, one store | a copy's entry and branches cost more than the copy |
/// | < 32 KiB | the JDK's copy | at most 2 ns behind C below 2 KiB, and nearly twice as fast from 4 to 16 KiB |
/// | 32 KiB – 16 MiB | C's copy, in pieces of 64 KiB | the JDK's takes 1.3 times as long, 1.6 from 2.5 MiB on |
/// | > 16 MiB | the JDK's copy | from 2.5 MiB on it stores past the caches, which is right here: half of C's time |
///
/// C's copy serves memory that can't be unmapped: symmetric memory on both sides. The JDK's copy serves segments
/// of the user, since it guards their lifetime and permissions.
public final class MemoryCopy {
    /// From here on the JDK's copy misses the L1 cache, which C's does better.
    private static final long FOREIGN = 32L << 10;

    /// Half of a 32 MiB L3: source and target no longer fit together.
    private static final long PAST_CACHES = 16L << 20;

    /// A collection that waits for a piece waits 3 µs. Larger pieces are slower, too: a piece's source stays in
    /// the L2.
    private static final long PIECE = 64L << 10;

    private MemoryCopy() {}

    /// Copies `length` bytes; overlapping ranges as if through a third place.
    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        if (length == Long.BYTES) {
            to.set(JAVA_LONG_UNALIGNED, toOffset, from.get(JAVA_LONG_UNALIGNED, fromOffset));
        } else if (length < FOREIGN || length > PAST_CACHES || !isLasting(from) || !isLasting(to)) {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        } else {
            inPieces(from.address() + fromOffset, to.address() + toOffset, length);
        }
    }

    private static boolean isLasting(MemorySegment segment) {
        return segment.scope().equals(AddressSpace.ALL.scope()) && !segment.isReadOnly();
    }

    private static void inPieces(long from, long to, long length) {
        boolean backwards = to > from;
        for (long done = 0; done < length; done += PIECE) {
            long piece = Math.min(PIECE, length - done);
            long at = backwards ? length - done - piece : done;
            ForeignCopy.copy(from + at, to + at, piece);
        }
    }
}
