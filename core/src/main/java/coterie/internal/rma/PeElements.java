// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.Context;
import coterie.ElementType;
import coterie.Elements;
import coterie.Signal;
import coterie.SignalUpdate;
import coterie.SymmetricMemory;
import coterie.internal.mapped.Copy;
import coterie.internal.mapped.Words;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;

/// A view of a block: the checks and the ways that elements of all types share. Single elements travel as *words*, their
/// bits in the low end of a `long`.
abstract class PeElements implements Elements {
    final PeContext context;
    final PeMemory memory;

    /// Binary logarithm of an element's bytes.
    final int shift;

    private final ElementType type;
    private final long length;

    PeElements(PeContext context, PeMemory memory, ElementType type) {
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

    /// The context to go through, if it is one of this view's world.
    PeContext checked(Context other) {
        if (other instanceof PeContext through && through.home == context.home) {
            return through;
        }
        throw Refusal.foreignContext(context.home, other);
    }

    @Override
    public void put(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long address = range("put", index, count, pe);
        checkSegment("put", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            Copy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
        } else {
            context.distant.put(source, sourceIndex << shift, count << shift, pe, place(index));
        }
    }

    @Override
    public void putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long address = range("putNbi", index, count, pe);
        checkSegment("putNbi", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            Copy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
        } else {
            context.distant.putNbi(source, sourceIndex << shift, count << shift, pe, place(index));
        }
    }

    @Override
    public void get(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long address = range("get", index, count, pe);
        checkTarget("get", "target", target, targetIndex, count);
        read(count << shift);
        if (address != 0) {
            Copy.copy(AddressSpace.ALL, address, target, targetIndex << shift, count << shift);
        } else {
            context.distant.get(pe, place(index), target, targetIndex << shift, count << shift);
        }
    }

    @Override
    public void getNbi(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long address = range("getNbi", index, count, pe);
        checkTarget("getNbi", "target", target, targetIndex, count);
        read(count << shift);
        context.dirty = true;
        if (address != 0) {
            Copy.copy(AddressSpace.ALL, address, target, targetIndex << shift, count << shift);
        } else {
            context.distant.getNbi(pe, place(index), target, targetIndex << shift, count << shift);
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
        long address = range("putStrided", index, Strides.span(stride, blockLength, blocks), pe);
        checkSegment("putStrided", "source", source, sourceIndex, Strides.span(sourceStride, blockLength, blocks));
        wrote((blockLength * blocks) << shift);
        if (address != 0) {
            Strides.copy(
                    source,
                    sourceIndex << shift,
                    sourceStride << shift,
                    AddressSpace.ALL,
                    address,
                    stride << shift,
                    blockLength << shift,
                    blocks);
        } else {
            for (long block = 0; block < blocks; block++) {
                long at = sourceIndex + block * sourceStride;
                context.distant.put(source, at << shift, blockLength << shift, pe, place(index + block * stride));
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
        long address = range("getStrided", index, Strides.span(stride, blockLength, blocks), pe);
        checkTarget("getStrided", "target", target, targetIndex, Strides.span(targetStride, blockLength, blocks));
        read((blockLength * blocks) << shift);
        if (address != 0) {
            Strides.copy(
                    AddressSpace.ALL,
                    address,
                    stride << shift,
                    target,
                    targetIndex << shift,
                    targetStride << shift,
                    blockLength << shift,
                    blocks);
        } else {
            for (long block = 0; block < blocks; block++) {
                long at = targetIndex + block * targetStride;
                context.distant.get(pe, place(index + block * stride), target, at << shift, blockLength << shift);
            }
        }
    }

    @Override
    public void putSignal(
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            Signal signal,
            SignalUpdate update,
            long value,
            int pe) {
        putSignal("putSignal", index, source, sourceIndex, count, (PeSignal) signal, update, value, pe, true);
    }

    @Override
    public void putSignalNbi(
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            Signal signal,
            SignalUpdate update,
            long value,
            int pe) {
        putSignal("putSignalNbi", index, source, sourceIndex, count, (PeSignal) signal, update, value, pe, false);
    }

    private void putSignal(
            String operation,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            PeSignal signal,
            SignalUpdate update,
            long value,
            int pe,
            boolean wait) {
        long address = range(operation, index, count, pe);
        checkSegment(operation, "source", source, sourceIndex, count);
        long word = signal.place(operation, context);
        long first = place(index);
        if (count > 0 && word < first + (count << shift) && first < word + Long.BYTES) {
            throw Refusal.signalInside(operation, context, signal, index, count);
        }
        wrote(count << shift);
        if (address != 0) {
            Copy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
            if (update == SignalUpdate.SET) {
                AddressSpace.setLongRelease(context.direct[pe] + word, value);
            } else {
                AddressSpace.getAndAddLong(context.direct[pe] + word, value);
            }
        } else {
            context.distant.putSignal(
                    source, sourceIndex << shift, count << shift, pe, first, word, update, value, wait);
        }
    }

    final long loadWord(String operation, long index, int pe) {
        long address = element(operation, index, pe);
        read(1L << shift);
        return address != 0 ? Words.load(address, shift) : context.distant.getWord(1 << shift, pe, place(index));
    }

    final void storeWord(String operation, long index, long word, int pe) {
        long address = element(operation, index, pe);
        wrote(1L << shift);
        if (address != 0) {
            Words.store(address, shift, word);
        } else {
            context.distant.putWord(word, 1 << shift, pe, place(index));
        }
    }

    final long fetchWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long address = element(name, index, pe);
        updated();
        return address != 0
                ? Words.apply(operation, address, shift, operand)
                : context.distant.atomic(operation, operand, 1 << shift, pe, place(index));
    }

    final void updateWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long address = element(name, index, pe);
        updated();
        if (address != 0) {
            Words.apply(operation, address, shift, operand);
        } else {
            context.distant.update(operation, operand, 1 << shift, pe, place(index));
        }
    }

    final void fetchWordNbi(
            AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe) {
        long address = element("fetchNbi", index, pe);
        checkResult("fetchNbi", result, resultIndex);
        updated();
        if (address != 0) {
            Words.store(result, resultIndex << shift, shift, Words.apply(operation, address, shift, operand));
        } else {
            context.distant.atomicNbi(
                    operation, operand, 1 << shift, pe, place(index), result, resultIndex << shift);
        }
    }

    final long swapWord(String name, long index, long expected, long value, int pe) {
        long address = element(name, index, pe);
        updated();
        return address != 0
                ? Words.compareAndSwap(address, shift, expected, value)
                : context.distant.compareAndSwap(expected, value, 1 << shift, pe, place(index));
    }

    final void swapWordNbi(long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        long address = element("compareAndSwapNbi", index, pe);
        checkResult("compareAndSwapNbi", result, resultIndex);
        updated();
        if (address != 0) {
            long before = Words.compareAndSwap(address, shift, expected, value);
            Words.store(result, resultIndex << shift, shift, before);
        } else {
            context.distant.compareAndSwapNbi(
                    expected, value, 1 << shift, pe, place(index), result, resultIndex << shift);
        }
    }

    /// Address of an element of my own, checked.
    final long mine(String operation, long index) {
        if (index < 0 || index >= length || memory.owner == null || context.isForeign() || context.isClosed()) {
            throw Refusal.of(operation, this, index, 1, 0);
        }
        return memory.address() + (index << shift);
    }

    /// Refuses a view that died, or whose context refuses this thread.
    final void checkUsable(String operation) {
        if (memory.owner == null || context.isForeign() || context.isClosed()) {
            throw Refusal.of(operation, this, 0, 0, 0);
        }
    }

    /// Address of a PE's element, checked, or 0 where it can't be loaded and stored.
    private long element(String operation, long index, int pe) {
        long[] direct = context.direct;
        if (pe < 0
                || pe >= direct.length
                || index < 0
                || index >= length
                || memory.owner == null
                || context.isForeign()) {
            throw Refusal.of(operation, this, index, 1, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    /// Address of a PE's elements, checked, or 0 where they can't be loaded and stored.
    private long range(String operation, long index, long count, int pe) {
        long[] direct = context.direct;
        if (pe < 0
                || pe >= direct.length
                || (index | count) < 0
                || index > length - count
                || memory.owner == null
                || context.isForeign()) {
            throw Refusal.of(operation, this, index, count, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    private void checkStrides(String operation, long stride, long other, long blockLength) {
        if (blockLength < 1 || stride < blockLength || other < blockLength) {
            throw Refusal.strides(operation, context, stride, other, blockLength);
        }
    }

    /// Checks where an old value is to come to, entirely: once the element has changed it is too late.
    final void checkResult(String operation, MemorySegment result, long index) {
        checkTarget(operation, "result", result, index, 1);
        if (!result.scope().isAlive() || !result.isAccessibleBy(Thread.currentThread())) {
            throw Refusal.unreachable(operation, "result", context, result);
        }
    }

    private void checkTarget(String operation, String role, MemorySegment segment, long index, long count) {
        checkSegment(operation, role, segment, index, count);
        if (segment.isReadOnly()) {
            throw Refusal.readOnly(operation, role, context);
        }
    }

    private void checkSegment(String operation, String role, MemorySegment segment, long index, long count) {
        if ((index | count) < 0 || index > (segment.byteSize() >> shift) - count) {
            throw Refusal.ofSegment(operation, role, this, segment.byteSize(), index, count);
        }
    }

    /// Where an element lies in every PE's heap.
    final long place(long index) {
        return memory.offset + (index << shift);
    }

    private void wrote(long bytes) {
        context.counters.puts++;
        context.counters.putBytes += bytes;
        context.dirty = true;
    }

    private void read(long bytes) {
        context.counters.gets++;
        context.counters.getBytes += bytes;
    }

    private void updated() {
        context.counters.atomics++;
        context.dirty = true;
    }

    @Override
    public String toString() {
        return length + " of " + type + " in " + memory;
    }
}
