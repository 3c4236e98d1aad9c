// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which offsets of a PE's heap are taken. Bookkeeping only: it never touches the memory.
///
/// ```
///  0                                                                                 byteSize
///  │ world blocks →   …free…                                   ← team blocks │
/// ```
///
/// World blocks come first fit from the bottom, so that PEs that allocate and free the same sizes in the same
/// order have the same offsets. Team blocks come first fit from the top, where one PE's may differ from another's
/// without ever shifting a world block: a world block is refused, on all PEs alike through the agreement round,
/// where it would meet one PE's team blocks.
///
/// Not thread-safe; a world's collectives are its only caller.
public final class Allocator {
    /// What every block's size is rounded up to, so that two blocks never share a pair of cache lines.
    public static final long GRANULE = 128;

    /// The end that a block is taken from.
    public enum Region {
        /// bottom up; equal offsets on all PEs
        WORLD,
        /// top down; offsets of this PE alone
        TEAM
    }

    private final long byteSize;

    /// Where the blocks of this PE alone begin.
    private final NavigableSet<Long> teams = new TreeSet<>();

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

    /// Takes a block.
    ///
    /// @param length bytes, `1 ≤ length`
    /// @param alignment a power of two; offsets count from an address that has it
    /// @return its offset, or −1 if no free extent can hold it
    public synchronized long allocate(Region region, long length, long alignment) {
        if (length > byteSize) {
            return -1;
        }
        long rounded = rounded(length);
        long step = Math.max(alignment, GRANULE);
        for (Map.Entry<Long, Long> extent :
                region == Region.WORLD ? free.entrySet() : free.descendingMap().entrySet()) {
            long start = extent.getKey();
            long end = start + extent.getValue();
            long offset = region == Region.WORLD ? (start + step - 1) & -step : (end - rounded) & -step;
            if (offset >= start
                    && rounded <= end - offset
                    && (region == Region.TEAM || isBelowTeams(offset + rounded))) {
                take(start, end, offset, offset + rounded);
                if (region == Region.TEAM) {
                    teams.add(offset);
                }
                return offset;
            }
        }
        return -1;
    }

    /// Whether all blocks of this PE alone begin behind: among them no block of the world has a place, since other
    /// PEs have theirs elsewhere.
    private boolean isBelowTeams(long end) {
        return teams.isEmpty() || end <= teams.first();
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
        teams.remove(offset);
    }

    /// Makes a block longer or shorter where it is. Shorter and as long always can be; longer where enough is free
    /// behind it. What a shorter block lets go is free at once.
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
        Long behind = free.get(end);
        long limit = behind == null ? end : end + behind;
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

    private static long rounded(long length) {
        return (length + GRANULE - 1) / GRANULE * GRANULE;
    }
}
