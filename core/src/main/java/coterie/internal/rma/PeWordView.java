// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.AtomicOperation;
import coterie.ElementType;
import coterie.internal.mapped.MappedWords;
import coterie.spi.AccessObserver;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;

/// Single elements of a view, of whatever type: they travel as *words*, their bits in the low end of a `long`.
abstract sealed class PeWordView extends PeElementView permits PeIntegerView, PeFloatView, PeDoubleView {
    /// Elements of my own that nobody is told about: all, or none where there is a witness. So the one check of an
    /// index sends what must be told off the fast path.
    private final long untold;

    PeWordView(PeContext context, PeMemory memory, ElementType type) {
        super(context, memory, type);
        this.untold = context.room.observer() == null ? length : 0;
    }

    final long loadWord(String operation, long index, int pe) {
        long address = element(operation, index, pe);
        read(1L << shift);
        return address != 0
                ? MappedWords.load(address, shift)
                : context.conduitPath.getWord(1 << shift, pe, place(index));
    }

    final void storeWord(String operation, long index, long word, int pe) {
        long address = element(operation, index, pe);
        wrote(1L << shift);
        if (address != 0) {
            MappedWords.store(address, shift, word);
        } else {
            context.conduitPath.putWord(word, 1 << shift, pe, place(index));
        }
    }

    final long fetchWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long address = element(name, index, pe);
        updated();
        return address != 0
                ? MappedWords.apply(operation, address, shift, operand)
                : context.conduitPath.atomic(operation, operand, 1 << shift, pe, place(index));
    }

    final void updateWord(String name, AtomicOperation operation, long index, long operand, int pe) {
        long address = element(name, index, pe);
        updated();
        if (address != 0) {
            MappedWords.apply(operation, address, shift, operand);
        } else {
            context.conduitPath.update(operation, operand, 1 << shift, pe, place(index));
        }
    }

    final void fetchWordNbi(
            AtomicOperation operation, long index, long operand, MemorySegment result, long resultIndex, int pe) {
        long address = element("fetchNbi", index, pe);
        checkResult("fetchNbi", result, resultIndex);
        updated();
        if (address != 0) {
            MappedWords.store(
                    result, resultIndex << shift, shift, MappedWords.apply(operation, address, shift, operand));
        } else {
            context.conduitPath.atomicNbi(
                    operation, operand, 1 << shift, pe, place(index), result, resultIndex << shift);
        }
    }

    final long swapWord(String name, long index, long expected, long value, int pe) {
        long address = element(name, index, pe);
        updated();
        return address != 0
                ? MappedWords.compareAndSwap(address, shift, expected, value)
                : context.conduitPath.compareAndSwap(expected, value, 1 << shift, pe, place(index));
    }

    final void swapWordNbi(long index, long expected, long value, MemorySegment result, long resultIndex, int pe) {
        long address = element("compareAndSwapNbi", index, pe);
        checkResult("compareAndSwapNbi", result, resultIndex);
        updated();
        if (address != 0) {
            long before = MappedWords.compareAndSwap(address, shift, expected, value);
            MappedWords.store(result, resultIndex << shift, shift, before);
        } else {
            context.conduitPath.compareAndSwapNbi(
                    expected, value, 1 << shift, pe, place(index), result, resultIndex << shift);
        }
    }

    /// Address of an element of my own that is read next, checked.
    final long mineToRead(long index) {
        if (index < 0 || index >= untold || memory.owner == null || context.isForeign() || context.isClosed()) {
            long address = mine("get", index);
            AccessObserver observer = context.room.observer();
            if (observer != null) {
                observer.read(place(index), 1L << shift);
            }
            return address;
        }
        return memory.address() + (index << shift);
    }

    /// Address of an element of my own that is written next, checked.
    final long mineToWrite(long index) {
        if (index < 0 || index >= untold || memory.owner == null || context.isForeign() || context.isClosed()) {
            long address = mine("set", index);
            AccessObserver observer = context.room.observer();
            if (observer != null) {
                observer.wrote(place(index), 1L << shift);
            }
            return address;
        }
        return memory.address() + (index << shift);
    }

    /// Tells, if anybody wants to know, that I am about to look at elements of my own.
    final void polled() {
        AccessObserver observer = context.room.observer();
        if (observer != null) {
            observer.polled();
        }
    }

    /// Tells, if anybody wants to know, that an element of my own is as I want it.
    final void observed(long index) {
        AccessObserver observer = context.room.observer();
        if (observer != null) {
            observer.observed(Region.HEAP, place(index), 1L << shift);
        }
    }

    /// Address of an element of my own, checked.
    final long mine(String operation, long index) {
        if (index < 0 || index >= length || memory.owner == null || context.isForeign() || context.isClosed()) {
            throw ArgumentErrors.of(operation, this, index, 1, 0);
        }
        return memory.address() + (index << shift);
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
            throw ArgumentErrors.of(operation, this, index, 1, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    /// Checks where a fetched word is to go: once the atomic has been done it is too late.
    final void checkResult(String operation, MemorySegment result, long resultIndex) {
        checkTarget(operation, "result", result, resultIndex, 1);
        if (!result.scope().isAlive() || !result.isAccessibleBy(Thread.currentThread())) {
            throw ArgumentErrors.unreachable(operation, "result", context, result);
        }
    }

    private void updated() {
        context.counters.atomics++;
        context.dirty = true;
    }
}
