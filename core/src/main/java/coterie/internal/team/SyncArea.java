// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.internal.collective.CollectiveResources;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.JobSegment;
import coterie.internal.posix.AddressSpace;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.Optional;

/// The part of my sync area that holds the lines of the teams that the program makes, and the tables in which
/// teams are formed. Each PE has its own: offsets need not be equal.
///
/// What is handed out is zeroed. Safe for several threads, which may make different teams at once.
final class SyncArea {
    /// Pages are asked for in steps of so many bytes.
    private static final long STEP = 1 << 16;

    private final Conduit conduit;
    private final long begin;
    private final long base;
    private final Allocator allocator;

    /// Bytes from the begin that have their pages.
    private long reserved;

    /// @param begin where in the sync area it begins
    /// @param most bytes to use of it
    SyncArea(Conduit conduit, long begin, long most) {
        this.conduit = conduit;
        this.begin = begin;
        this.base = conduit.localBase(Region.SYNC) + begin;
        this.allocator = new Allocator(Math.min(most, conduit.syncBytes() - begin));
    }

    /// Takes a block of lines, or throws; see [#release].
    ///
    /// @param lines 128 bytes each
    /// @return its offset in my sync area
    /// @throws SyncMemoryException if there is no memory for it
    long allocate(int lines) throws SyncMemoryException {
        return allocate(lines, Allocator.GRANULE);
    }

    /// As [#allocate(int)], at a multiple of `alignment` from the begin of what is handed out here.
    synchronized long allocate(int lines, long alignment) throws SyncMemoryException {
        long length = lines * JobSegment.LINE;
        long offset = allocator.allocate(Allocator.Region.WORLD, length, alignment);
        if (offset < 0) {
            throw new SyncMemoryException(length + " bytes are needed for a team, and of " + allocator.byteSize()
                    + " for all teams " + allocator.used() + " are in use");
        }
        Optional<String> refusal = reserve(offset + length);
        if (refusal.isPresent()) {
            allocator.free(offset, length);
            throw new SyncMemoryException(refusal.get());
        }
        AddressSpace.ALL.asSlice(base + offset, length).fill((byte) 0);
        return begin + offset;
    }

    /// Gives back the end of a block, so that only so many lines are left.
    synchronized void shorten(long offset, int lines, int left) {
        allocator.resize(offset - begin, lines * JobSegment.LINE, left * JobSegment.LINE);
    }

    /// Gives a block back, to which nobody writes any more.
    synchronized void release(long offset, int lines) {
        allocator.free(offset - begin, lines * JobSegment.LINE);
    }

    /// The same for what is no team's lines.
    CollectiveResources.ScratchMemory scratchMemory() {
        return new CollectiveResources.ScratchMemory() {
            @Override
            public long acquire(long bytes) {
                try {
                    return SyncArea.this.allocate(lines(bytes));
                } catch (SyncMemoryException e) {
                    return -1; // who asks has another way
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

    /// The address of a place in my sync area.
    long address(long offset) {
        return base - begin + offset;
    }

    /// Blocks that are taken.
    synchronized int blocks() {
        return allocator.blocks();
    }

    /// Bytes that are taken.
    synchronized long used() {
        return allocator.used();
    }

    /// Bytes that have their pages.
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
