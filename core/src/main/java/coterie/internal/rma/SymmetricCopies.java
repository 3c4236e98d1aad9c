// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.internal.mapped.MemoryCopy;
import coterie.internal.posix.AddressSpace;
import java.lang.foreign.MemorySegment;

/// Copies between memory of mine and places in the PEs' heaps, for collectives: places have been checked, PEs are
/// numbers in the world, and all lengths are in bytes. They go through the world's [PeContext#own].
public final class SymmetricCopies {
    private final PeContext context;

    /// @param context the world's [PeContext#own]
    public SymmetricCopies(PeContext context) {
        this.context = context;
    }

    /// Completes what was put; see [PeContext#completeForNotified].
    public void completeForTold() {
        context.completeForNotified();
    }

    /// The address of my own heap.
    public long mine() {
        return context.local();
    }

    /// Whether a PE's heap can be read and written where it is.
    public boolean reaches(int pe) {
        return context.direct[pe] != 0;
    }

    /// Copies to a PE; the source may be reused at once.
    public void put(MemorySegment source, long sourceOffset, long length, int pe, long place) {
        wrote(length);
        long base = context.direct[pe];
        if (base != 0) {
            MemoryCopy.copy(source, sourceOffset, AddressSpace.ALL, base + place, length);
        } else {
            context.conduitPath.put(source, sourceOffset, length, pe, place);
        }
    }

    /// Copies from a place in my heap to one in a PE's.
    public void push(long from, long length, int pe, long to) {
        put(AddressSpace.ALL, context.local() + from, length, pe, to);
    }

    /// Copies elements that lie apart from my heap to a PE's. Strides are in bytes.
    public void pushStrided(long from, long fromStride, int width, long count, int pe, long to, long toStride) {
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

    /// Copies from a PE; the bytes are there on return.
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

    /// The address from which `length` bytes of a PE can be read where they are, or 0 if they must be copied.
    /// Counts as [#get].
    public long readable(int pe, long place, long length) {
        long base = context.direct[pe];
        if (base == 0) {
            return 0;
        }
        context.counters.gets++;
        context.counters.getBytes += length;
        return base + place;
    }

    /// The address at which `length` bytes of a PE can be written where they are, or 0 if they must be copied.
    /// Counts as [#put].
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
