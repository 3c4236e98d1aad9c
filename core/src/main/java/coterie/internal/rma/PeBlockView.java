// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.ElementType;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// The copies of a view that move more than neighbouring elements: blocks a stride apart, elements with a signal.
abstract sealed class PeBlockView extends PeElementView permits PeWordView {

    PeBlockView(PeContext context, PeMemory memory, ElementType type) {
        super(context, memory, type);
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
        long began = Tracing.begin(context.counters.tracer);
        checkStrides("putStrided", stride, sourceStride, blockLength);
        long address = range("putStrided", index, StridedCopies.span(stride, blockLength, blocks), pe);
        checkSegment(
                "putStrided", "source", source, sourceIndex, StridedCopies.span(sourceStride, blockLength, blocks));
        checkReachable("putStrided", "source", source);
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
        if (Tracing.ON) {
            traced(began, EventKind.PUT, "putStrided", index, blockLength * blocks, pe);
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
        long began = Tracing.begin(context.counters.tracer);
        checkStrides("getStrided", stride, targetStride, blockLength);
        long address = range("getStrided", index, StridedCopies.span(stride, blockLength, blocks), pe);
        checkTarget("getStrided", "target", target, targetIndex, StridedCopies.span(targetStride, blockLength, blocks));
        checkReachable("getStrided", "target", target);
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
        if (Tracing.ON) {
            traced(began, EventKind.GET, "getStrided", index, blockLength * blocks, pe);
        }
    }

    @Override
    public void putSignal(long index, MemorySegment source, long sourceIndex, long count, SignalUpdate update, int pe) {
        PeSignalWord signal = signal("putSignal", update);
        putSignal("putSignal", index, source, sourceIndex, count, pe, signal, update.operation(), update.value(), true);
    }

    @Override
    public long putSignalNbi(
            long index, MemorySegment source, long sourceIndex, long count, SignalUpdate update, int pe) {
        PeSignalWord signal = signal("putSignalNbi", update);
        return putSignal(
                "putSignalNbi",
                index,
                source,
                sourceIndex,
                count,
                pe,
                signal,
                update.operation(),
                update.value(),
                false);
    }

    /// Returns the signal of an update; throws if there is none, or one of another library.
    private PeSignalWord signal(String operation, SignalUpdate update) {
        if (update == null) {
            throw ArgumentErrors.missing(operation, context, "update");
        }
        if (update.signal() instanceof PeSignalWord signal) {
            return signal;
        }
        throw ArgumentErrors.foreignSignal(operation, context, update.signal());
    }

    /// Takes the parts of a [SignalUpdate], so that the JIT compiler never has to allocate one. For that it must not
    /// become part of its callers, which would then be too large for theirs: it has more than the 325 bytes of
    /// bytecode that the compiler inlines of a hot method.
    private long putSignal(
            String operation,
            long index,
            MemorySegment source,
            long sourceIndex,
            long count,
            int pe,
            PeSignalWord signal,
            SignalOperation update,
            long value,
            boolean wait) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range(operation, index, count, pe);
        checkSegment(operation, "source", source, sourceIndex, count);
        checkReachable(operation, "source", source);
        long word = signal.place(operation, this, pe);
        long first = place(index);
        long bytes = count << shift;
        if (count > 0 && word < first + bytes && first < word + Long.BYTES) {
            throw ArgumentErrors.signalInside(operation, context, signal, index, count);
        }
        wrote(bytes);
        long ticket = 0;
        if (address == 0) {
            ticket = context.conduitPath.putSignal(
                    source, sourceIndex << shift, bytes, pe, first, word, update, value, wait);
        } else {
            MemoryCopy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, bytes);
            if (update == SignalOperation.SET) {
                AddressSpace.setLongRelease(context.direct[pe] + word, value);
            } else {
                AddressSpace.getAndAddLong(context.direct[pe] + word, value);
            }
        }
        if (Tracing.ON) {
            int flags = update == SignalOperation.SET ? TraceLayout.SETS : 0;
            long detail = first;
            if (ticket != 0) {
                flags |= TraceLayout.PENDING;
                detail = ticket;
            }
            context.counters.tracer.end(
                    began,
                    EventKind.PUT_SIGNAL,
                    operation,
                    context.peerBases.world(pe),
                    word,
                    bytes,
                    value,
                    flags,
                    detail);
        }
        return ticket;
    }

    private void checkStrides(String operation, long stride, long other, long blockLength) {
        if (blockLength < 1 || stride < blockLength || other < blockLength) {
            throw ArgumentErrors.strides(operation, context, stride, other, blockLength);
        }
    }
}
