// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// What a PE has reserved of its heap. Blocks of the world grow from one end, the runtime's own memory from the other:
/// what lies between them is nobody's, and as large as the heap.
final class ReservedRanges {
    private final long size;

    /// All below is reserved.
    private long low;

    /// All from here on is.
    private long high;

    /// @param size bytes of the heap
    ReservedRanges(long size) {
        this.size = size;
        this.high = size;
    }

    /// How many of some bytes are not reserved yet.
    long more(long offset, long length) {
        return Math.max(Math.min(offset + length, high) - Math.max(offset, low), 0);
    }

    /// Reserves bytes, and what lies between them and the end that is nearer.
    void take(long offset, long length) {
        if (more(offset, length) == 0) {
            return;
        }
        long end = offset + length;
        if (end - low <= high - offset) {
            low = end;
        } else {
            high = offset;
        }
    }

    /// Zeroes what is reserved of a PE's heap, and has nothing reserved any more.
    void clear(SimulatedMemory memory, int pe) {
        memory.zeroHeap(pe, 0, low);
        memory.zeroHeap(pe, high, size - high);
        low = 0;
        high = size;
    }
}
