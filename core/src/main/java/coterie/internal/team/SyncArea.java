// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.memory.Allocator;
import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.Optional;

/// The part of a PE's sync area that holds the lines of the teams that the program makes, and the slots in which
/// PEs form teams. Offsets in it need not be equal on all PEs.
///
/// Allocated lines are zeroed. Thread-safe: threads may make different teams at the same time.
final class SyncArea {
    /// The step in which the area reserves pages, in bytes.
    private static final long STEP = 1 << 16;

    private final Conduit conduit;
    private final long begin;
    private final long base;
    private final Allocator allocator;

    /// Bytes from the begin whose pages are reserved.
    private long reserved;

    /// @param begin offset of this part in the sync area
    /// @param maxBytes its largest size
    SyncArea(Conduit conduit, long begin, long maxBytes) {
        this.conduit = conduit;
        this.begin = begin;
        this.base = conduit.localBase(Region.SYNC) + begin;
        this.allocator = new Allocator(Math.min(maxBytes, conduit.syncBytes() - begin));
    }

    /// Allocates a block of lines; see [#release].
    ///
    /// @param lines of 128 bytes each
    /// @return the block's offset in the sync area
    /// @throws SyncMemoryException if memory lacks
    long allocate(int lines) throws SyncMemoryException {
        return allocate(lines, Allocator.GRANULE);
    }

    /// Allocates a block of lines at a multiple of `alignment` bytes from the begin of this part; see
    /// [#allocate(int)].
    synchronized long allocate(int lines, long alignment) throws SyncMemoryException {
        long length = lines * JobSegment.LINE;
        long offset = allocator.allocate(Allocator.End.BOTTOM, length, alignment);
        if (offset < 0) {
            throw new SyncMemoryException("a team needs " + length + " bytes, and " + allocator.used() + " of the "
                    + allocator.byteSize() + " bytes for teams are in use; close teams, or raise the setting "
                    + "TEAM_SYNC_KIB");
        }
        Optional<String> refusal = reserve(offset + length);
        if (refusal.isPresent()) {
            allocator.free(offset, length);
            throw new SyncMemoryException(refusal.get());
        }
        AddressSpace.ALL.asSlice(base + offset, length).fill((byte) 0);
        return begin + offset;
    }

    /// Releases the end of a block, except for its first `left` lines.
    synchronized void shorten(long offset, int lines, int left) {
        allocator.resize(offset - begin, lines * JobSegment.LINE, left * JobSegment.LINE);
    }

    /// Releases a block, to which no PE writes any more.
    synchronized void release(long offset, int lines) {
        allocator.free(offset - begin, lines * JobSegment.LINE);
    }

    /// Returns an allocator of scratch memory from this area.
    ScratchMemory scratchMemory() {
        return new ScratchMemory() {
            @Override
            public long acquire(long bytes) {
                try {
                    return SyncArea.this.allocate(lines(bytes));
                } catch (SyncMemoryException e) {
                    return -1; // the caller has another algorithm
                }
            }

            @Override
            public void release(long offset, long bytes) {
                SyncArea.this.release(offset, lines(bytes));
            }

            private int lines(long bytes) {
                return Math.toIntExact((bytes + JobSegment.LINE - 1) / JobSegment.LINE);
            }
        };
    }

    /// Returns the address of an offset in the sync area.
    long address(long offset) {
        return base - begin + offset;
    }

    /// Returns the number of allocated blocks.
    synchronized int blocks() {
        return allocator.blocks();
    }

    /// Returns the number of allocated bytes.
    synchronized long used() {
        return allocator.used();
    }

    /// Returns the number of bytes whose pages are reserved.
    synchronized long reserved() {
        return reserved;
    }

    private Optional<String> reserve(long end) {
        if (end <= reserved) {
            return Optional.empty();
        }
        long target = Math.min(allocator.byteSize(), (end + STEP - 1) / STEP * STEP);
        Optional<String> refusal = conduit.reserve(Region.SYNC, begin + reserved, target - reserved);
        if (refusal.isEmpty()) {
            reserved = target;
        }
        return refusal;
    }
}
