// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.Context;
import coterie.ElementType;
import coterie.ElementView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import coterie.internal.trace.Tracing;
import coterie.spi.AccessObserver;
import coterie.spi.MappedItems;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A view of a block or slice: the checks, and the copies of neighbouring elements, which are common to all types
/// of elements.
abstract sealed class PeElementView implements ElementView, MappedItems.Source permits PeBlockView {
    final PeContext context;
    final PeMemory memory;

    /// The block of `memory`, which says whether the memory is alive.
    final PeMemory block;

    /// Of the view's first element in every PE's heap.
    private final long offset;

    /// Of the view's first element in this PE's memory.
    private final long address;

    /// Binary logarithm of an element's bytes.
    final int shift;

    private final ElementType type;
    final long length;

    PeElementView(PeContext context, PeMemory memory, ElementType type) {
        this.context = context;
        this.memory = memory;
        this.block = memory.block;
        this.offset = memory.offset;
        this.address = memory.address();
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

    /// Returns the memory of a slice; throws if it leaves this view.
    final PeMemory sliced(long index, long length) {
        checkUsable("slice");
        if ((index | length) < 0 || index > this.length - length) {
            throw ArgumentErrors.of("slice", this, index, length, 0);
        }
        return memory.part(index << shift, length << shift);
    }

    /// Returns the context as its implementation; throws if it is not a context of this view's world, or has PEs
    /// that do not have the memory.
    PeContext checked(Context other) {
        if (other == null) {
            throw ArgumentErrors.missing("through", context, "context");
        }
        if (other instanceof PeContext through && through.home == context.home) {
            int outsider = through.peerBases.outsider(memory.heap());
            if (outsider >= 0) {
                throw ArgumentErrors.outsider("through", context, memory, outsider);
            }
            return through;
        }
        throw ArgumentErrors.foreignContext(context.home, other);
    }

    @Override
    public void put(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("put", index, count, pe);
        checkSegment("put", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            copyFrom("put", source, sourceIndex, address, count);
        } else {
            checkReachable("put", "source", source);
            context.conduitPath.put(source, sourceIndex << shift, count << shift, pe, place(index));
        }
        if (Tracing.ON) {
            traced(began, EventKind.PUT, "put", index, count, pe);
        }
    }

    @Override
    public void putFrom(long index, ElementView source, long sourceIndex, long count, int pe) {
        PeElementView from = local("putFrom", "source", source);
        long began = Tracing.begin(context.counters.tracer);
        long address = range("putFrom", index, count, pe);
        from.checkOwn("putFrom", "source", sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            MemoryCopy.copy(AddressSpace.ALL, from.own(sourceIndex), AddressSpace.ALL, address, count << shift);
        } else {
            context.conduitPath.put(from.memory.segment(), sourceIndex << shift, count << shift, pe, place(index));
        }
        if (Tracing.ON) {
            traced(began, EventKind.PUT, "putFrom", index, count, pe);
        }
    }

    @Override
    public void getInto(long index, ElementView target, long targetIndex, long count, int pe) {
        PeElementView into = local("getInto", "target", target);
        long began = Tracing.begin(context.counters.tracer);
        long address = range("getInto", index, count, pe);
        into.checkOwn("getInto", "target", targetIndex, count);
        read(count << shift);
        if (address != 0) {
            MemoryCopy.copy(AddressSpace.ALL, address, AddressSpace.ALL, into.own(targetIndex), count << shift);
        } else {
            context.conduitPath.get(pe, place(index), into.memory.segment(), targetIndex << shift, count << shift);
        }
        if (Tracing.ON) {
            traced(began, EventKind.GET, "getInto", index, count, pe);
        }
    }

    @Override
    public void set(long index, MemorySegment source, long sourceIndex, long count) {
        long to = ownRange("set", index, count);
        checkSegment("set", "source", source, sourceIndex, count);
        checkReachable("set", "source", source);
        wroteOwn(index, count);
        copyFrom("set", source, sourceIndex, to, count);
    }

    @Override
    public void get(long index, MemorySegment target, long targetIndex, long count) {
        long from = ownRange("get", index, count);
        checkTarget("get", "target", target, targetIndex, count);
        checkReachable("get", "target", target);
        readOwn(index, count);
        copyInto("get", from, target, targetIndex, count);
    }

    @Override
    public long putNbi(long index, MemorySegment source, long sourceIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("putNbi", index, count, pe);
        checkSegment("putNbi", "source", source, sourceIndex, count);
        wrote(count << shift);
        if (address != 0) {
            copyFrom("putNbi", source, sourceIndex, address, count);
            return started(began, EventKind.PUT, "putNbi", index, count, pe, 0);
        } else {
            checkReachable("putNbi", "source", source);
            long ticket = context.conduitPath.putNbi(source, sourceIndex << shift, count << shift, pe, place(index));
            return started(began, EventKind.PUT, "putNbi", index, count, pe, ticket);
        }
    }

    @Override
    public void get(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("get", index, count, pe);
        checkTarget("get", "target", target, targetIndex, count);
        read(count << shift);
        if (address != 0) {
            copyInto("get", address, target, targetIndex, count);
        } else {
            checkReachable("get", "target", target);
            context.conduitPath.get(pe, place(index), target, targetIndex << shift, count << shift);
        }
        if (Tracing.ON) {
            traced(began, EventKind.GET, "get", index, count, pe);
        }
    }

    @Override
    public long getNbi(long index, MemorySegment target, long targetIndex, long count, int pe) {
        long began = Tracing.begin(context.counters.tracer);
        long address = range("getNbi", index, count, pe);
        checkTarget("getNbi", "target", target, targetIndex, count);
        read(count << shift);
        context.dirty = true;
        if (address != 0) {
            copyInto("getNbi", address, target, targetIndex, count);
            return started(began, EventKind.GET, "getNbi", index, count, pe, 0);
        } else {
            checkReachable("getNbi", "target", target);
            long ticket = context.conduitPath.getNbi(pe, place(index), target, targetIndex << shift, count << shift);
            return started(began, EventKind.GET, "getNbi", index, count, pe, ticket);
        }
    }

    /// Throws if the block was freed, or the context is closed or private to another thread.
    final void checkUsable(String operation) {
        if (block.owner == null || context.isForeign() || context.isClosed()) {
            throw ArgumentErrors.of(operation, this, 0, 0, 0);
        }
    }

    /// Checks a range, and returns the address of a PE's elements, or 0 if this PE can't load and store them.
    final long range(String operation, long index, long count, int pe) {
        long[] direct = context.direct;
        if (pe < 0
                || pe >= direct.length
                || (index | count) < 0
                || index > length - count
                || block.owner == null
                || context.isForeign()) {
            throw ArgumentErrors.of(operation, this, index, count, pe);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place(index);
    }

    /// Checks elements of the caller's own, and returns the address of the first.
    final long ownRange(String operation, long index, long count) {
        if ((index | count) < 0
                || index > length - count
                || block.owner == null
                || context.isForeign()
                || context.isClosed()) {
            throw ArgumentErrors.of(operation, this, index, count, 0);
        }
        return own(index);
    }

    /// Tells that elements of the caller's own are about to be read: the access observer, if there is one, and the
    /// conduit, since the program may poll for them.
    final void readOwn(long index, long count) {
        AccessObserver observer = context.runtime.observer();
        if (observer != null && count > 0) {
            observer.read(place(index), count << shift);
        }
        if (!context.home.peerBases.allDirect()) {
            context.ownReads.note(context.room);
        }
    }

    /// Tells the access observer, if there is one, that elements of the caller's own are about to be written.
    final void wroteOwn(long index, long count) {
        AccessObserver observer = context.runtime.observer();
        if (observer != null && count > 0) {
            observer.wrote(place(index), count << shift);
        }
    }

    /// Returns the caller's side of a copy between views; throws if it is not a view of this type and world.
    private PeElementView local(String operation, String role, ElementView view) {
        if (view instanceof PeElementView own
                && own.type == type
                && (own.block.owner == context.home || own.block.owner == null)) {
            return own;
        }
        throw view == null
                ? ArgumentErrors.missing(operation, context, role)
                : ArgumentErrors.unlike(operation, role, this, view);
    }

    /// Checks elements of the caller's own.
    private void checkOwn(String operation, String role, long index, long count) {
        if ((index | count) < 0 || index > length - count || block.owner == null) {
            throw ArgumentErrors.ofOwn(operation, role, this, index, count);
        }
    }

    /// Returns the address of an element of the caller's own.
    final long own(long index) {
        return address + (index << shift);
    }

    final void checkSegment(String operation, String role, MemorySegment segment, long index, long count) {
        if (segment == null) {
            throw ArgumentErrors.missing(operation, context, role);
        }
        if ((index | count) < 0 || index > (segment.byteSize() >> shift) - count) {
            throw ArgumentErrors.ofSegment(operation, role + " segment", this, segment.byteSize(), index, count);
        }
    }

    /// Checks that the caller can access a segment: its arena is neither closed nor confined to another thread.
    final void checkReachable(String operation, String role, MemorySegment segment) {
        if (!segment.scope().isAlive() || !segment.isAccessibleBy(Thread.currentThread())) {
            throw ArgumentErrors.unreachable(operation, role, context, segment);
        }
    }

    @Override
    public final Optional<MappedItems> mappedItems(int pe, LongView words) {
        return PeMappedItems.at(pe, this, words);
    }

    /// Copies from a segment to an address. The copy itself checks that the caller can access the segment.
    final void copyFrom(String operation, MemorySegment source, long sourceIndex, long address, long count) {
        if (count == 0) {
            checkReachable(operation, "source", source);
        }
        try {
            MemoryCopy.copy(source, sourceIndex << shift, AddressSpace.ALL, address, count << shift);
        } catch (IllegalStateException | WrongThreadException e) {
            throw ArgumentErrors.unreachable(operation, "source", context, source);
        }
    }

    /// Copies from an address to a segment, as [#copyFrom].
    final void copyInto(String operation, long address, MemorySegment target, long targetIndex, long count) {
        if (count == 0) {
            checkReachable(operation, "target", target);
        }
        try {
            MemoryCopy.copy(AddressSpace.ALL, address, target, targetIndex << shift, count << shift);
        } catch (IllegalStateException | WrongThreadException e) {
            throw ArgumentErrors.unreachable(operation, "target", context, target);
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
        return offset + (index << shift);
    }

    /// Records a copy that is over, in a traced job.
    final void traced(long began, EventKind kind, String label, long index, long count, int pe) {
        context.counters.tracer.end(began, kind, label, context.peerBases.world(pe), place(index), count << shift, 0);
    }

    /// Records the call of a copy that may go on afterwards, in a traced job.
    ///
    /// @return the ticket
    final long started(long began, EventKind kind, String label, long index, long count, int pe, long ticket) {
        if (Tracing.ON) {
            int flags = ticket == 0 ? 0 : TraceLayout.PENDING;
            context.counters.tracer.end(
                    began, kind, label, context.peerBases.world(pe), place(index), count << shift, 0, flags, ticket);
        }
        return ticket;
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
        return length + " elements of type " + type + " in " + memory;
    }
}
