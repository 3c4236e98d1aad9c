// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.DoubleView;
import coterie.ElementType;
import coterie.FloatView;
import coterie.IntegerView;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A block of symmetric memory, live or freed.
///
/// `owner` is the default context of the world that made the block, and null after the block is freed. So one
/// comparison detects both a freed block and a block of another world.
public final class PeMemory implements SymmetricMemory {
    final long offset;
    final long byteSize;

    @Nullable
    PeContext owner;

    private final BlockHeap heap;
    private final PeContext context;
    private final long generation;
    private final MemorySegment mine;
    private final long alignment;
    private final PeIntegerView bytes;

    /// @param generation number of the allocation in its world, for messages and for matching handles between PEs;
    ///     0 for an empty handle
    /// @param alignment in bytes; reallocation keeps it
    public PeMemory(BlockHeap heap, PeContext owner, long generation, long offset, long byteSize, long alignment) {
        this.heap = heap;
        this.owner = owner;
        this.context = owner;
        this.generation = generation;
        this.offset = offset;
        this.byteSize = byteSize;
        this.alignment = alignment;
        this.mine = AddressSpace.ALL.asSlice(heap.address(owner.me) + offset, byteSize);
        this.bytes = new PeIntegerView(context, this, ElementType.BYTE);
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /// Returns the address of this PE's part.
    long address() {
        return mine.address();
    }

    /// Returns the offset of the block in every PE's heap.
    public long offset() {
        return offset;
    }

    /// Returns the number of the allocation in its world.
    public long generation() {
        return generation;
    }

    /// Returns the alignment of the block, in bytes.
    public long alignment() {
        return alignment;
    }

    /// Returns whether the block is live, and contexts of this home can use it.
    public boolean isAliveIn(PeContext home) {
        return owner == home;
    }

    public boolean isFreed() {
        return owner == null;
    }

    @Override
    public MemorySegment segment() {
        checkAlive("segment");
        return mine;
    }

    @Override
    public Optional<MemorySegment> segment(int pe) {
        checkAlive("segment");
        if (pe < 0 || pe >= context.size()) {
            throw ArgumentErrors.outside("segment", context, pe);
        }
        if (pe == context.me) {
            return Optional.of(mine);
        }
        long base = heap.address(pe);
        return base == 0 ? Optional.empty() : Optional.of(AddressSpace.ALL.asSlice(base + offset, byteSize));
    }

    @Override
    public boolean isAccessible(int pe) {
        return owner != null && pe >= 0 && pe < context.size();
    }

    @Override
    public IntegerView bytes() {
        return bytes;
    }

    @Override
    public IntegerView shorts() {
        return new PeIntegerView(context, this, ElementType.SHORT);
    }

    @Override
    public IntegerView ints() {
        return new PeIntegerView(context, this, ElementType.INT);
    }

    @Override
    public IntegerView longs() {
        return new PeIntegerView(context, this, ElementType.LONG);
    }

    @Override
    public FloatView floats() {
        return new PeFloatView(context, this);
    }

    @Override
    public DoubleView doubles() {
        return new PeDoubleView(context, this);
    }

    @Override
    public SignalWord signal(long index) {
        checkWords("signal", index, 1);
        return new PeSignalWord(context, this, index);
    }

    @Override
    public SymmetricLock lock(long index) {
        checkWords("lock", index, SymmetricLock.LONGS);
        return heap.lock(this, index * Long.BYTES);
    }

    @Override
    public SymmetricMemory reallocate(long newSize) {
        checkAlive("reallocate");
        return heap.reallocate(this, newSize);
    }

    @Override
    public void close() {
        if (owner != null) {
            heap.release(this);
        }
    }

    /// Marks the block as freed: every later use throws.
    public void invalidate() {
        owner = null;
    }

    private void checkAlive(String operation) {
        if (owner == null) {
            throw ArgumentErrors.freed(operation, context, this);
        }
    }

    private void checkWords(String operation, long index, long count) {
        checkAlive(operation);
        if (index < 0 || index > byteSize / Long.BYTES - count) {
            throw ArgumentErrors.ofWords(operation, context, this, index, count);
        }
    }

    @Override
    public String toString() {
        return "symmetric memory " + generation + " (" + byteSize + " bytes at offset " + offset + ")";
    }
}
