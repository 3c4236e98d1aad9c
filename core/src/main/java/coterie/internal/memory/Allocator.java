// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import java.util.Map;
import java.util.TreeMap;

/// Which offsets of a PE's heap are taken. Bookkeeping only: it never touches the memory.
///
/// ```
///  0                                                                                 byteSize
///  │ blocks of the world →   …free…                       ← blocks of other teams │
/// ```
///
/// A block is taken first fit from one end. Its *distance* is how far it reaches from that end. The members of a
/// team find the nearest place that is free on all of them by distances: see [coterie.internal.heap.TeamHeap].
///
/// Thread-safe.
public final class Allocator {
    /// What every block's size is rounded up to, so that two blocks never share a pair of cache lines.
    public static final long GRANULE = 128;

    /// The end that a block is taken from.
    public enum End {
        /// offset 0; for the world's blocks
        BOTTOM,
        /// the largest offset; for blocks of other teams, and of this PE alone
        TOP
    }

    private final long byteSize;

    /// Free extents, offset to length; neighbours are always merged.
    private final TreeMap<Long, Long> free = new TreeMap<>();

    private long used;
    private int blocks;

    /// An empty heap.
    ///
    /// @param byteSize bytes, rounded down to a multiple of [#GRANULE]
    public Allocator(long byteSize) {
        this.byteSize = byteSize / GRANULE * GRANULE;
        if (this.byteSize > 0) {
            free.put(0L, this.byteSize);
        }
    }

    /// Takes the block that is nearest to an end.
    ///
    /// @param length bytes, `1 ≤ length`
    /// @param alignment a power of two; offsets count from an address that has it
    /// @return its offset, or −1 if no free extent can hold it
    public long allocate(End end, long length, long alignment) {
        return allocate(end, length, alignment, 0);
    }

    /// Takes the nearest block among those at a distance of `minDistance` and more.
    public synchronized long allocate(End end, long length, long alignment, long minDistance) {
        if (length > byteSize) {
            return -1;
        }
        long rounded = rounded(length);
        long step = Math.max(alignment, GRANULE);
        for (Map.Entry<Long, Long> extent :
                end == End.BOTTOM ? free.entrySet() : free.descendingMap().entrySet()) {
            long from = extent.getKey();
            long to = from + extent.getValue();
            long offset = end == End.BOTTOM
                    ? (Math.max(from, minDistance - rounded) + step - 1) & -step
                    : Math.min(to - rounded, byteSize - minDistance) & -step;
            if (offset >= from && rounded <= to - offset) {
                take(from, to, offset, offset + rounded);
                return offset;
            }
        }
        return -1;
    }

    /// Returns the distance of a block from an end.
    ///
    /// @param offset as [#allocate] returned it
    /// @param length as the caller asked for it
    public long distance(End end, long offset, long length) {
        return end == End.BOTTOM ? offset + rounded(length) : byteSize - offset;
    }

    /// Gives a block back.
    ///
    /// @param offset as [#allocate] returned it
    /// @param length as it was asked for
    public synchronized void free(long offset, long length) {
        long start = offset;
        long end = offset + rounded(length);
        Map.Entry<Long, Long> before = free.floorEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Long after = free.remove(end);
        if (after != null) {
            end += after;
        }
        free.put(start, end - start);
        used -= rounded(length);
        blocks--;
    }

    /// Makes a block longer or shorter where it is. Shorter and as long always can be; longer where enough is free
    /// after it. What a shorter block releases is free at once.
    ///
    /// @param offset as [#allocate] returned it
    /// @param length as it was asked for
    /// @param newLength bytes, `1 ≤ newLength`
    /// @return whether the block now has the new length; otherwise nothing has changed
    public synchronized boolean resize(long offset, long length, long newLength) {
        if (newLength > byteSize) {
            return false;
        }
        long end = offset + rounded(length);
        long newEnd = offset + rounded(newLength);
        Long after = free.get(end);
        long limit = after == null ? end : end + after;
        if (newEnd > limit) {
            return false;
        }
        free.remove(end);
        if (newEnd < limit) {
            free.put(newEnd, limit - newEnd);
        }
        used += newEnd - end;
        return true;
    }

    /// Bytes in blocks, their rounding included.
    public synchronized long used() {
        return used;
    }

    /// Bytes of the heap.
    public long byteSize() {
        return byteSize;
    }

    /// Blocks that are taken.
    public synchronized int blocks() {
        return blocks;
    }

    /// The longest block that could be had now with the least alignment.
    public synchronized long largestFree() {
        return free.values().stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /// Whether taken and free bytes add up to the heap, and free extents are in order and merged.
    public synchronized boolean isConsistent() {
        long sum = used;
        long end = -1;
        for (Map.Entry<Long, Long> extent : free.entrySet()) {
            if (extent.getKey() <= end || extent.getValue() <= 0) {
                return false;
            }
            end = extent.getKey() + extent.getValue();
            sum += extent.getValue();
        }
        return sum == byteSize && end <= byteSize && (blocks == 0) == (used == 0);
    }

    private void take(long start, long end, long from, long to) {
        free.remove(start);
        if (from > start) {
            free.put(start, from - start);
        }
        if (to < end) {
            free.put(to, end - to);
        }
        used += to - from;
        blocks++;
    }

    /// Returns the bytes that a block of a length takes.
    public static long rounded(long length) {
        return (length + GRANULE - 1) / GRANULE * GRANULE;
    }
}
