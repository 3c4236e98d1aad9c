// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.ElementType;
import coterie.internal.mapped.MappedWords;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;

/// A view whose single elements, of any type, travel as *words*: a `long` with the element's bits at its low end.
abstract sealed class PeWordView extends PeBlockView
        permits PeIntegerView, PeFloatView, PeDoubleView, PeNarrowFloatView {
    /// The upper limit of indices for the fast path of this PE's own accesses: the length of the view, or 0 if
    /// there is an access observer, or a conduit that has operations under way. So the check of the index also
    /// sends accesses to the observer, and reads to the conduit.
    private final long unobserved;

    /// Whether there is a conduit that has operations under way.
    private final boolean usesChannels;

    PeWordView(PeContext context, PeMemory memory, ElementType type) {
        super(context, memory, type);
        this.usesChannels = !context.home.peerBases.allDirect();
        this.unobserved = context.runtime.observer() == null && !usesChannels ? length : 0;
    }

    @Override
    public final long getBits(long index) {
        return MappedWords.load(mineToRead("getBits", index), shift);
    }

    @Override
    public final void setBits(long index, long bits) {
        MappedWords.store(mineToWrite("setBits", index), shift, bits);
    }

    /// Copies from an array to a PE.
    ///
    /// @param elements of the array, without an alignment
    final void putArray(long index, Object source, ValueLayout elements, long sourceIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("put", index, count, pe);
        checkArray("put", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            MemorySegment.copy(source, (int) sourceIndex, AddressSpace.ALL, elements, address, (int) count);
        } else {
            context.conduitPath.put(segmentOf(source), sourceIndex << shift, count << shift, pe, place(index));
        }
        if (Tracing.ON) {
            traced(began, EventKind.PUT, "put", index, count, pe);
        }
    }

    /// Copies from a PE to an array.
    final void getArray(long index, Object target, ValueLayout elements, long targetIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("get", index, count, pe);
        checkArray("get", "target", target, targetIndex, count);
        read(count << shift);
        if (address != 0) {
            MemorySegment.copy(AddressSpace.ALL, elements, address, target, (int) targetIndex, (int) count);
        } else {
            context.conduitPath.get(pe, place(index), segmentOf(target), targetIndex << shift, count << shift);
        }
        if (Tracing.ON) {
            traced(began, EventKind.GET, "get", index, count, pe);
        }
    }

    /// Copies from an array to the caller's own elements.
    final void setArray(long index, Object source, ValueLayout elements, long sourceIndex, long count) {
        long address = ownRange("set", index, count);
        checkArray("set", "source", source, sourceIndex, count);
        wroteOwn(index, count);
        MemorySegment.copy(source, (int) sourceIndex, AddressSpace.ALL, elements, address, (int) count);
    }

    /// Copies from the caller's own elements to an array.
    final void getOwnArray(long index, Object target, ValueLayout elements, long targetIndex, long count) {
        long address = ownRange("get", index, count);
        checkArray("get", "target", target, targetIndex, count);
        readOwn(index, count);
        MemorySegment.copy(AddressSpace.ALL, elements, address, target, (int) targetIndex, (int) count);
    }

    final void checkArray(String operation, String role, Object array, long index, long count) {
        if (array == null) {
            throw ArgumentErrors.missing(operation, context, role);
        }
        int size = Array.getLength(array);
        if ((index | count) < 0 || index > size - count) {
            throw ArgumentErrors.ofSegment(operation, role + " array", this, (long) size << shift, index, count);
        }
    }

    private static MemorySegment segmentOf(Object array) {
        return switch (array) {
            case byte[] bytes -> MemorySegment.ofArray(bytes);
            case short[] shorts -> MemorySegment.ofArray(shorts);
            case int[] ints -> MemorySegment.ofArray(ints);
            case long[] longs -> MemorySegment.ofArray(longs);
            case float[] floats -> MemorySegment.ofArray(floats);
            default -> MemorySegment.ofArray((double[]) array);
        };
    }

    final long loadWord(String operation, long index, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element(operation, index, pe);
        read(1L << shift);
        polled(address);
        long word = address != 0
                ? MappedWords.load(address, shift)
                : context.conduitPath.getWord(1 << shift, pe, place(index));
        return tracedWord(began, EventKind.GET, operation, index, pe, word, 0, word);
    }

    final void storeWord(String operation, long index, long word, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element(operation, index, pe);
        wrote(1L << shift);
        if (address != 0) {
            MappedWords.store(address, shift, word);
        } else {
            context.conduitPath.putWord(word, 1 << shift, pe, place(index));
        }
        if (Tracing.ON) {
            tracedWord(began, EventKind.PUT, operation, index, pe, word, TraceLayout.SETS, 0);
        }
    }

    final long fetchWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element(name, index, pe);
        updated(address);
        long before = address != 0
                ? MappedWords.apply(operation, address, shift, operand)
                : context.conduitPath.atomic(operation, operand, 1 << shift, pe, place(index));
        return tracedWord(began, EventKind.ATOMIC, name, index, pe, operand, sets(operation), before);
    }

    final void updateWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element(name, index, pe);
        updated(address);
        if (address != 0) {
            MappedWords.apply(operation, address, shift, operand);
        } else {
            context.conduitPath.update(operation, operand, 1 << shift, pe, place(index));
        }
        if (Tracing.ON) {
            tracedWord(began, EventKind.ATOMIC, name, index, pe, operand, sets(operation), 0);
        }
    }

    /// Loads a word of this PE for a program that polls, and acquires all that was ordered before it.
    final long acquireWord(String name, long index) {
        long address = mine(name, index);
        polled();
        missed(); // what the program polls for is unknown
        long raw = MappedWords.loadAcquire(address, shift);
        observed(index);
        return raw;
    }

    /// Stores a word of this PE after all that it has stored before, in effect on return.
    final void releaseWord(String name, long index, long word) {
        int pe = context.number;
        long began = Tracing.begin(context.counters.tracer);
        long address = element(name, index, pe);
        updated(address);
        VarHandle.releaseFence();
        if (address != 0) {
            MappedWords.store(address, shift, word);
        } else {
            context.conduitPath.atomic(AtomicOperation.SWAP, word, 1 << shift, pe, place(index));
        }
        if (Tracing.ON) {
            tracedWord(began, EventKind.ATOMIC, name, index, pe, word, TraceLayout.SETS, 0);
        }
    }

    /// Records an operation on a word, in a traced job.
    ///
    /// @return the result
    private long tracedWord(
            long began, EventKind kind, String name, long index, int pe, long operand, int flags, long result) {
        if (Tracing.ON) {
            context.counters.tracer.end(
                    began, kind, name, context.peerBases.world(pe), place(index), 1L << shift, operand, flags, 0);
        }
        return result;
    }

    private static int sets(AtomicOperation operation) {
        return operation == AtomicOperation.SWAP ? TraceLayout.SETS : 0;
    }

    final long fetchWordNbi(
            AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element("fetchNbi", index, pe);
        checkResult("fetchNbi", result, resultIndex);
        updated(address);
        if (address != 0) {
            MappedWords.store(
                    result, resultIndex << shift, shift, MappedWords.apply(operation, address, shift, operand));
            return started(began, EventKind.ATOMIC, "fetchNbi", index, 1, pe, 0);
        } else {
            long ticket = context.conduitPath.atomicNbi(
                    operation, operand, 1 << shift, pe, place(index), result, resultIndex << shift);
            return started(began, EventKind.ATOMIC, "fetchNbi", index, 1, pe, ticket);
        }
    }

    final long swapWord(String name, long index, long expected, long value, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element(name, index, pe);
        updated(address);
        long before = address != 0
                ? MappedWords.compareAndSwap(address, shift, expected, value)
                : context.conduitPath.compareAndSwap(expected, value, 1 << shift, pe, place(index));
        return tracedWord(began, EventKind.ATOMIC, name, index, pe, value, 0, before);
    }

    final long swapWordNbi(long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = element("compareAndExchangeNbi", index, pe);
        checkResult("compareAndExchangeNbi", result, resultIndex);
        updated(address);
        if (address != 0) {
            long before = MappedWords.compareAndSwap(address, shift, expected, value);
            MappedWords.store(result, resultIndex << shift, shift, before);
            return started(began, EventKind.ATOMIC, "compareAndExchangeNbi", index, 1, pe, 0);
        } else {
            long ticket = context.conduitPath.compareAndExchangeNbi(
                    expected, value, 1 << shift, pe, place(index), result, resultIndex << shift);
            return started(began, EventKind.ATOMIC, "compareAndExchangeNbi", index, 1, pe, ticket);
        }
    }

    /// Returns the address of this PE's element, checked, for a load that follows.
    final long mineToRead(String operation, long index) {
        if (index < 0 || index >= unobserved || block.owner == null || context.isForeign() || context.isClosed()) {
            long address = mine(operation, index);
            AccessObserver observer = context.runtime.observer();
            if (observer != null) {
                observer.read(place(index), 1L << shift);
            }
            context.ownReads.note(context.room);
            return address;
        }
        return own(index);
    }

    /// Returns the address of this PE's element, checked, for a store that follows.
    final long mineToWrite(String operation, long index) {
        if (index < 0 || index >= unobserved || block.owner == null || context.isForeign() || context.isClosed()) {
            long address = mine(operation, index);
            AccessObserver observer = context.runtime.observer();
            if (observer != null) {
                observer.wrote(place(index), 1L << shift);
            }
            return address;
        }
        return own(index);
    }

    /// Notes that this PE will poll its own elements.
    final void polled() {
        context.room.polled();
    }

    /// Refuses the outcome of a wait whose memory was freed meanwhile.
    final void checkNotFreed(String operation) {
        if (memory.isFreed()) {
            throw ArgumentErrors.freed(operation, context, memory);
        }
    }

    /// Advances the conduit after a poll that has not found what the program polls for: a loop of polls ends
    /// although the program never waits.
    final void missed() {
        context.room.progress();
    }

    /// Reports to the access observer, if there is one, that an element of this PE has the awaited value.
    final void observed(long index) {
        AccessObserver observer = context.runtime.observer();
        if (observer != null) {
            observer.observed(Region.HEAP, place(index), 1L << shift);
        }
    }

    /// Returns the address of this PE's element, checked.
    final long mine(String operation, long index) {
        if (index < 0 || index >= length || block.owner == null || context.isForeign() || context.isClosed()) {
            throw ArgumentErrors.of(operation, this, index, 1, 0);
        }
        return own(index);
    }

    /// Returns the address of a PE's element, checked, or 0 if this PE can't load and store it.
    private long element(String operation, long index, int pe) {
        long[] direct = context.direct;
        if (pe < 0
                || pe >= direct.length
                || index < 0
                || index >= length
                || block.owner == null
                || context.isForeign()) {
            throw ArgumentErrors.of(operation, this, index, 1, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    /// Checks the segment for a fetched word, before the atomic operation has any effect.
    final void checkResult(String operation, MemorySegment result, long resultIndex) {
        checkTarget(operation, "result", result, resultIndex, 1);
        checkReachable(operation, "result", result);
    }

    private void updated(long address) {
        context.counters.atomics++;
        context.dirty = true;
        polled(address);
    }

    /// Advances the conduit every few operations that use no channel, by which a program may poll.
    ///
    /// @param address of the element, or 0 if a channel serves it
    private void polled(long address) {
        if (address != 0 && usesChannels) {
            context.ownReads.note(context.room);
        }
    }
}
