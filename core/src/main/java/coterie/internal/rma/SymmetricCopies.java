// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;

/// Copies between this PE's memory and the PEs' heaps, for collectives. The caller has checked the arguments: PEs
/// are world numbers, places are offsets in the heap, lengths are in bytes. All copies use the world's
/// [PeContext#own].
public final class SymmetricCopies {
    private final PeContext context;

    /// @param context the world's [PeContext#own]
    public SymmetricCopies(PeContext context) {
        this.context = context;
    }

    /// Completes the puts; see [PeContext#completeForNotified].
    public void completeForNotified() {
        context.completeForNotified();
    }

    /// Returns the address of this PE's own heap.
    public long mine() {
        return context.local();
    }

    /// Returns whether this PE can load and store a PE's heap.
    public boolean reaches(int pe) {
        return context.direct[pe] != 0;
    }

    /// Copies to a PE; the caller may reuse the source when the call returns.
    public void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        wrote(length);
        long base = context.direct[pe];
        if (base != 0) {
            MemoryCopy.copy(source, sourceOffset, AddressSpace.ALL, base + place, length);
        } else {
            context.conduitPath.put(source, sourceOffset, length, pe, place);
        }
    }

    /// Copies from a place in this PE's heap to a place in another PE's heap.
    public void push(long from, long length, int pe, long to) {
        put(AddressSpace.ALL, context.local() + from, length, pe, to);
    }

    /// Copies elements that begin a stride apart from this PE's heap to another PE's heap.
    ///
    /// @param fromStride in bytes
    /// @param width bytes of an element
    /// @param toStride in bytes
    public void pushStrided(long from, long fromStride, long width, long count, int pe, long to, long toStride) {
        wrote(width * count);
        long mine = context.local() + from;
        long base = context.direct[pe];
        if (base != 0) {
            StridedCopies.copy(AddressSpace.ALL, mine, fromStride, AddressSpace.ALL, base + to, toStride, width, count);
        } else {
            for (long i = 0; i < count; i++) {
                context.conduitPath.put(AddressSpace.ALL, mine + i * fromStride, width, pe, to + i * toStride);
            }
        }
    }

    /// Copies from a PE; the bytes have arrived when the call returns.
    public void get(int pe, long place, MemorySegment target, long targetOffset, long length) {
        context.counters.gets++;
        context.counters.getBytes += length;
        long base = context.direct[pe];
        if (base != 0) {
            MemoryCopy.copy(AddressSpace.ALL, base + place, target, targetOffset, length);
        } else {
            context.conduitPath.get(pe, place, target, targetOffset, length);
        }
    }

    /// Returns the address at which this PE can load `length` bytes of a PE, or 0 if it must copy them with
    /// [#get]. Counts as a get.
    public long readable(int pe, long place, long length) {
        long base = context.direct[pe];
        if (base == 0) {
            return 0;
        }
        context.counters.gets++;
        context.counters.getBytes += length;
        return base + place;
    }

    /// Returns the address at which this PE can store `length` bytes of a PE, or 0 if it must copy them with
    /// [#put]. Counts as a put.
    public long writable(int pe, long place, long length) {
        long base = context.direct[pe];
        if (base == 0) {
            return 0;
        }
        wrote(length);
        return base + place;
    }

    private void wrote(long bytes) {
        context.counters.puts++;
        context.counters.putBytes += bytes;
        context.dirty = true;
    }
}
