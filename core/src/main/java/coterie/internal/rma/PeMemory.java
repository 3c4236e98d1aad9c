// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricMemory;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A live or dead block of symmetric memory.
///
/// `owner` is the context of the world that made the block, and null once the block is freed: one comparison tells
/// a use of a dead block and of another world's alike.
public final class PeMemory implements SymmetricMemory {
    final long offset;
    final long byteSize;

    @Nullable
    PeContext owner;

    private final BlockHeap heap;
    private final long generation;
    private final long alignment;
    private final MemorySegment mine;

    /// @param generation number of the allocation in its world, for messages and for matching handles between PEs;
    ///     0 is an empty handle's
    /// @param alignment what the block keeps where it is reallocated
    public PeMemory(BlockHeap heap, PeContext owner, long generation, long offset, long byteSize, long alignment) {
        this.heap = heap;
        this.owner = owner;
        this.generation = generation;
        this.offset = offset;
        this.byteSize = byteSize;
        this.alignment = alignment;
        this.mine = AddressSpace.ALL.asSlice(heap.address(heap.pe()) + offset, byteSize);
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /// Address of my own part.
    long address() {
        return mine.address();
    }

    /// Where the block lies in every PE's heap.
    public long offset() {
        return offset;
    }

    /// Number of the allocation in its world.
    public long generation() {
        return generation;
    }

    /// What the block's address is a multiple of.
    public long alignment() {
        return alignment;
    }

    @Override
    public MemorySegment segment() {
        requireAlive("segment");
        return mine;
    }

    @Override
    public Optional<MemorySegment> segment(int pe) {
        if (!isInWorld(pe)) {
            throw Refusal.outside("segment", heap.pe(), heap.size(), pe);
        }
        requireAlive("segment");
        if (pe == heap.pe()) {
            return Optional.of(mine);
        }
        long base = heap.address(pe);
        return base == 0 ? Optional.empty() : Optional.of(AddressSpace.ALL.asSlice(base + offset, byteSize));
    }

    @Override
    public boolean isAccessible(int pe) {
        return owner != null && isInWorld(pe);
    }

    @Override
    public SymmetricMemory reallocate(long byteSize) {
        requireAlive("reallocate");
        return heap.reallocate(this, byteSize);
    }

    @Override
    public void close() {
        if (owner != null) {
            heap.release(this);
        }
    }

    /// Makes every later use throw.
    public void die() {
        owner = null;
    }

    private boolean isInWorld(int pe) {
        return pe >= 0 && pe < heap.size();
    }

    private void requireAlive(String operation) {
        if (owner == null) {
            throw Refusal.freed(operation, heap.pe(), this);
        }
    }

    @Override
    public String toString() {
        return "symmetric memory " + generation + " (" + byteSize + " bytes at offset " + offset + ")";
    }
}
