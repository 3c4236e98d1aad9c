// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.ElementType;
import coterie.ElementView;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SymmetricMemory;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// A view of a block: the checks, and the copies of several elements, which are common to all element types.
abstract sealed class PeElementView implements ElementView permits PeWordView {
    final PeContext context;
    final PeMemory memory;

    /// Binary logarithm of an element's bytes.
    final int shift;

    private final ElementType type;
    final long length;

    PeElementView(PeContext context, PeMemory memory, ElementType type) {
        this.context = context;
        this.memory = memory;
        this.type = type;
        this.shift = Integer.numberOfTrailingZeros(type.byteSize());
        this.length = memory.byteSize >> shift;
    }

    @Override
    public ElementType type() {
        return type;
    }

    @Override
    public long length() {
        return length;
    }

    @Override
    public SymmetricMemory memory() {
        return memory;
    }

    @Override
    public MemorySegment segment() {
        return memory.segment();
    }

    @Override
    public Context context() {
        return context;
    }

    /// Returns the context as its implementation; throws if it is not a context of this view's world.
    PeContext checked(Context other) {
        if (other instanceof PeContext through && through.home == context.home) {
            return through;
        }
        throw ArgumentErrors.foreignContext(context.home, other);
    }

    @Override
    public void put(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long address = range("put", index, count, pe);
        checkSegment("put", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            MemoryCopy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
        } else {
            context.conduitPath.put(source, sourceIndex << shift, count << shift, pe, place(index));
        }
    }

    @Override
    public void putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long address = range("putNbi", index, count, pe);
        checkSegment("putNbi", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            MemoryCopy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
        } else {
            context.conduitPath.putNbi(source, sourceIndex << shift, count << shift, pe, place(index));
        }
    }

    @Override
    public void get(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long address = range("get", index, count, pe);
        checkTarget("get", "target", target, targetIndex, count);
        read(count << shift);
        if (address != 0) {
            MemoryCopy.copy(AddressSpace.ALL, address, target, targetIndex << shift, count << shift);
        } else {
            context.conduitPath.get(pe, place(index), target, targetIndex << shift, count << shift);
        }
    }

    @Override
    public void getNbi(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long address = range("getNbi", index, count, pe);
        checkTarget("getNbi", "target", target, targetIndex, count);
        read(count << shift);
        context.dirty = true;
        if (address != 0) {
            MemoryCopy.copy(AddressSpace.ALL, address, target, targetIndex << shift, count << shift);
        } else {
            context.conduitPath.getNbi(pe, place(index), target, targetIndex << shift, count << shift);
        }
    }

    @Override
    public void putStrided(
            long index,
            long stride,
            MemorySegment source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long blocks,
            int pe) {
        checkStrides("putStrided", stride, sourceStride, blockLength);
        long address = range("putStrided", index, StridedCopies.span(stride, blockLength, blocks), pe);
        checkSegment(
                "putStrided", "source", source, sourceIndex, StridedCopies.span(sourceStride, blockLength, blocks));
        wrote((blockLength * blocks) << shift);
        if (address != 0) {
            StridedCopies.copy(
                    source,
                    sourceIndex << shift,
                    sourceStride << shift,
                    AddressSpace.ALL,
                    address,
                    stride << shift,
                    blockLength << shift,
                    blocks);
        } else if (context.isMe(pe)) {
            // Source and target may overlap, so the blocks are copied twice.
            long width = blockLength << shift;
            MemorySegment away = Arena.ofAuto().allocate(width * blocks, 1);
            StridedCopies.copy(source, sourceIndex << shift, sourceStride << shift, away, 0, width, width, blocks);
            for (long block = 0; block < blocks; block++) {
                context.conduitPath.put(away, block * width, width, pe, place(index + block * stride));
            }
        } else {
            for (long block = 0; block < blocks; block++) {
                long at = sourceIndex + block * sourceStride;
                context.conduitPath.put(source, at << shift, blockLength << shift, pe, place(index + block * stride));
            }
        }
    }

    @Override
    public void getStrided(
            long index,
            long stride,
            MemorySegment target,
            long targetIndex,
            long targetStride,
            long blockLength,
            long blocks,
            int pe) {
        checkStrides("getStrided", stride, targetStride, blockLength);
        long address = range("getStrided", index, StridedCopies.span(stride, blockLength, blocks), pe);
        checkTarget("getStrided", "target", target, targetIndex, StridedCopies.span(targetStride, blockLength, blocks));
        read((blockLength * blocks) << shift);
        if (address != 0) {
            StridedCopies.copy(
                    AddressSpace.ALL,
                    address,
                    stride << shift,
                    target,
                    targetIndex << shift,
                    targetStride << shift,
                    blockLength << shift,
                    blocks);
        } else if (context.isMe(pe)) {
            long width = blockLength << shift;
            MemorySegment away = Arena.ofAuto().allocate(width * blocks, 1);
            for (long block = 0; block < blocks; block++) {
                context.conduitPath.get(pe, place(index + block * stride), away, block * width, width);
            }
            StridedCopies.copy(away, 0, width, target, targetIndex << shift, targetStride << shift, width, blocks);
        } else {
            for (long block = 0; block < blocks; block++) {
                long at = targetIndex + block * targetStride;
                context.conduitPath.get(pe, place(index + block * stride), target, at << shift, blockLength << shift);
            }
        }
    }

    @Override
    public void putSignal(long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update) {
        putSignal("putSignal", index, source, sourceIndex, count, pe, update, true);
    }

    @Override
    public void putSignalNbi(
            long index, MemorySegment source, long sourceIndex, long count, int pe, SignalUpdate update) {
        putSignal("putSignalNbi", index, source, sourceIndex, count, pe, update, false);
    }

    private void putSignal(
            String operation,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            SignalUpdate update,
            boolean wait) {
        PeSignalWord signal = (PeSignalWord) update.signal();
        long value = update.value();
        long address = range(operation, index, count, pe);
        checkSegment(operation, "source", source, sourceIndex, count);
        long word = signal.place(operation, context);
        long first = place(index);
        if (count > 0 && word < first + (count << shift) && first < word + Long.BYTES) {
            throw ArgumentErrors.signalInside(operation, context, signal, index, count);
        }
        wrote(count << shift);
        if (address != 0) {
            MemoryCopy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
            if (update.operation() == SignalOperation.SET) {
                AddressSpace.setLongRelease(context.direct[pe] + word, value);
            } else {
                AddressSpace.getAndAddLong(context.direct[pe] + word, value);
            }
        } else {
            context.conduitPath.putSignal(
                    source, sourceIndex << shift, count << shift, pe, first, word, update.operation(), value, wait);
        }
    }

    /// Throws if the block was freed, or the context is closed or private to another thread.
    final void checkUsable(String operation) {
        if (memory.owner == null || context.isForeign() || context.isClosed()) {
            throw ArgumentErrors.of(operation, this, 0, 0, 0);
        }
    }

    /// Checks a range, and returns the address of a PE's elements, or 0 if this PE can't load and store them.
    private long range(String operation, long index, long count, int pe) {
        long[] direct = context.direct;
        if (pe < 0
                || pe >= direct.length
                || (index | count) < 0
                || index > length - count
                || memory.owner == null
                || context.isForeign()) {
            throw ArgumentErrors.of(operation, this, index, count, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    private void checkStrides(String operation, long stride, long other, long blockLength) {
        if (blockLength < 1 || stride < blockLength || other < blockLength) {
            throw ArgumentErrors.strides(operation, context, stride, other, blockLength);
        }
    }

    final void checkSegment(String operation, String role, MemorySegment segment, long index, long count) {
        if ((index | count) < 0 || index > (segment.byteSize() >> shift) - count) {
            throw ArgumentErrors.ofSegment(operation, role, this, segment.byteSize(), index, count);
        }
    }

    /// Checks a segment that the operation will write to, before the operation has any effect.
    final void checkTarget(String operation, String role, MemorySegment segment, long index, long count) {
        checkSegment(operation, role, segment, index, count);
        if (segment.isReadOnly()) {
            throw ArgumentErrors.readOnly(operation, role, context);
        }
    }

    /// Returns the offset of an element in every PE's heap.
    final long place(long index) {
        return memory.offset + (index << shift);
    }

    final void wrote(long bytes) {
        context.counters.puts++;
        context.counters.putBytes += bytes;
        context.dirty = true;
    }

    final void read(long bytes) {
        context.counters.gets++;
        context.counters.getBytes += bytes;
    }

    @Override
    public String toString() {
        return length + " of " + type + " in " + memory;
    }
}
