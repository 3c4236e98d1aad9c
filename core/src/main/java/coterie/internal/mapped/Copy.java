// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import java.lang.foreign.MemorySegment;

/// Copies between mapped memory, by size class.
///
/// | bytes | how | why |
/// |--:|---|---|
/// | 8 | one load, one store | a copy's entry and branches cost more than the copy |
/// | < 2.5 MiB, > 16 MiB | `MemorySegment.copy` | the JDK's stub, 0.6–1.7 × a C copy |
/// | between | pieces of 1 MiB | from 2.5 MiB on the stub stores past the caches, 1.5–2.2 × slower while the data fits
/// the L3 |
public final class Copy {
    /// The size from which the JDK's stub uses non-temporal stores.
    private static final long NON_TEMPORAL = 2_621_440;

    /// Half of a 32 MiB L3: source and target no longer fit together.
    private static final long PAST_CACHES = 16L << 20;

    private static final long PIECE = 1L << 20;

    private Copy() {}

    /// Copies `length` bytes; overlapping ranges as if through a third place.
    public static void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        if (length == Long.BYTES) {
            to.set(JAVA_LONG_UNALIGNED, toOffset, from.get(JAVA_LONG_UNALIGNED, fromOffset));
        } else if (length < NON_TEMPORAL || length > PAST_CACHES) {
            MemorySegment.copy(from, fromOffset, to, toOffset, length);
        } else {
            inPieces(from, fromOffset, to, toOffset, length);
        }
    }

    private static void inPieces(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long length) {
        boolean backwards = to.address() + toOffset > from.address() + fromOffset;
        for (long done = 0; done < length; done += PIECE) {
            long piece = Math.min(PIECE, length - done);
            long at = backwards ? length - done - piece : done;
            MemorySegment.copy(from, fromOffset + at, to, toOffset + at, piece);
        }
    }
}
