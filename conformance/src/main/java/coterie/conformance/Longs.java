// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import java.util.stream.LongStream;

/// Symmetric memory and plain memory as arrays of longs.
final class Longs {
    private Longs() {}

    /// `first`, `first + 1`, …, in memory that is not symmetric.
    static MemorySegment counting(long first, int count) {
        return MemorySegment.ofArray(LongStream.range(first, first + count).toArray());
    }

    /// My own part.
    static long[] of(SymmetricMemory memory) {
        return memory.segment().toArray(JAVA_LONG);
    }

    static void set(SymmetricMemory memory, int index, long value) {
        memory.segment().setAtIndex(JAVA_LONG, index, value);
    }

    static long get(SymmetricMemory memory, int index) {
        return memory.segment().getAtIndex(JAVA_LONG, index);
    }
}
