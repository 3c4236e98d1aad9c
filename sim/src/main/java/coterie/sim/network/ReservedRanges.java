// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

/// The ranges of its heap that a PE has reserved. Blocks of the world grow from one end, and the runtime's own
/// memory from the other; the range between them is free.
final class ReservedRanges {
    private final long size;

    /// All bytes below are reserved.
    private long low;

    /// All bytes from here on are reserved.
    private long high;

    /// @param size bytes of the heap
    ReservedRanges(long size) {
        this.size = size;
        this.high = size;
    }

    /// Returns how many of these bytes are not reserved yet.
    long more(long offset, long length) {
        return Math.max(Math.min(offset + length, high) - Math.max(offset, low), 0);
    }

    /// Reserves bytes, and all bytes between them and the nearer end of the heap.
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

    /// Zeroes the reserved bytes of a PE's heap, and frees them.
    void clear(SimulatedMemory memory, int pe) {
        memory.zeroHeap(pe, 0, low);
        memory.zeroHeap(pe, high, size - high);
        low = 0;
        high = size;
    }
}
