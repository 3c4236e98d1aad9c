// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.SymmetricMemory;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
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

    private final long generation;
    private final MemorySegment mine;
    private final Consumer<PeMemory> release;

    /// @param generation number of the allocation in its world, for messages and for matching handles between PEs
    /// @param mine address of my own part
    /// @param release the collective that frees the block
    public PeMemory(
            PeContext owner, long generation, long offset, long byteSize, long mine, Consumer<PeMemory> release) {
        this.owner = owner;
        this.generation = generation;
        this.offset = offset;
        this.byteSize = byteSize;
        this.mine = AddressSpace.ALL.asSlice(mine, byteSize);
        this.release = release;
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

    @Override
    public MemorySegment segment() {
        if (owner == null) {
            throw new IllegalStateException("segment of " + this + ": it was freed");
        }
        return mine;
    }

    @Override
    public void close() {
        if (owner != null) {
            release.accept(this);
        }
    }

    /// Makes every later use throw.
    public void die() {
        owner = null;
    }

    @Override
    public String toString() {
        return "symmetric memory " + generation + " (" + byteSize + " bytes at offset " + offset + ")";
    }
}
