// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.lang.foreign.MemorySegment;
import java.util.BitSet;

/// Checks of copies between an image's own part of a coarray and a segment: one that reads elements which it writes
/// would depend on the order of its steps.
final class SelfCopy {
    private SelfCopy() {}

    /// Throws if a copy of contiguous elements reads bytes that it writes.
    ///
    /// @param own address of the first byte of the image's own part that is copied
    static void check(CoarrayBlock block, String operation, long own, MemorySegment segment, long offset, long bytes) {
        if (segment.isNative() && Math.abs(segment.address() + offset - own) < bytes) {
            throw overlap(block, operation);
        }
    }

    /// Throws if a copy of sections reads elements that it writes.
    ///
    /// @param bytes of an element
    static void check(
            CoarrayBlock block, String operation, Section own, MemorySegment segment, Section other, long bytes) {
        if (!segment.isNative()) {
            return;
        }
        long distance = segment.address() - block.address();
        if (Math.abs(distance) >= Math.max(segment.byteSize(), block.memory().byteSize())) {
            return;
        }
        BitSet places = new BitSet();
        own.forEachElement(place -> places.set(Math.toIntExact(place)));
        other.forEachElement(place -> {
            long first = Math.floorDiv(distance + place * bytes, bytes);
            boolean isWhole = Math.floorMod(distance, bytes) == 0;
            if (isIn(places, first) || (!isWhole && isIn(places, first + 1))) {
                throw overlap(block, operation);
            }
        });
    }

    private static boolean isIn(BitSet places, long place) {
        return place >= 0 && place < places.length() && places.get((int) place);
    }

    private static IllegalArgumentException overlap(CoarrayBlock block, String operation) {
        return new IllegalArgumentException(operation + ": the segment's elements are elements of the caller's own "
                + block + " that the copy reads and writes; copy through another segment");
    }
}
