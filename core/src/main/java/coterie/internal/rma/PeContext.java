// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Comparison;
import coterie.Context;
import coterie.SymmetricMemory;
import coterie.internal.mapped.Copy;
import coterie.internal.posix.AddressSpace;
import coterie.internal.wait.Counters;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.time.Duration;

/// One-sided operations of one PE: checks, then loads and stores where the peer's memory is mapped, and the conduit
/// where it is not.
///
/// ```
///  put(memory, offset, source, …, pe)
///    │ check pe, range, that the block is alive          once per call, no allocation
///    │ base = direct[pe]                                  0: conduit.put → ticket → waiting room
///    ▼
///  store or copy at base + memory.offset + offset
///    │ mark dirty                                         quiet: full fence if dirty
///    ▼
/// ```
public final class PeContext implements Context {
    private final int me;
    private final int size;
    private final Conduit conduit;
    private final WaitingRoom room;
    private final Counters counters;

    /// Per PE: the heap's address for loads and stores, or 0.
    private final long[] direct;

    /// Per PE: what a remote place in its heap counts from.
    private final long[] remote;

    /// Where a conduit puts fetched words.
    private final MemorySegment fetched = Arena.ofAuto().allocate(JAVA_LONG);

    private boolean allDirect = true;
    private boolean dirty;

    /// A context towards `size` PEs; heaps come with [#heapsAttached].
    public PeContext(int me, int size, Conduit conduit, WaitingRoom room) {
        this.me = me;
        this.size = size;
        this.conduit = conduit;
        this.room = room;
        this.counters = room.counters();
        this.direct = new long[size];
        this.remote = new long[size];
    }

    /// Takes over where the conduit has put the heaps.
    public void heapsAttached() {
        for (int pe = 0; pe < size; pe++) {
            direct[pe] = conduit.directBase(Region.HEAP, pe);
            remote[pe] = conduit.remoteBase(Region.HEAP, pe);
            allDirect &= direct[pe] != 0;
        }
    }

    @Override
    public void put(
            SymmetricMemory target, long targetOffset, MemorySegment source, long sourceOffset, long length, int pe) {
        long place = place("put", target, targetOffset, length, pe);
        checkRange("put", "source", source, sourceOffset, length);
        counters.puts++;
        counters.putBytes += length;
        dirty = true;
        long base = direct[pe];
        if (base != 0) {
            Copy.copy(source, sourceOffset, AddressSpace.ALL, base + place, length);
        } else {
            room.awaitTicket(conduit, conduit.put(source, sourceOffset, length, pe, remote[pe] + place), pe);
        }
    }

    @Override
    public void get(
            SymmetricMemory source, long sourceOffset, MemorySegment target, long targetOffset, long length, int pe) {
        long place = place("get", source, sourceOffset, length, pe);
        checkRange("get", "target", target, targetOffset, length);
        counters.gets++;
        counters.getBytes += length;
        long base = direct[pe];
        if (base != 0) {
            Copy.copy(AddressSpace.ALL, base + place, target, targetOffset, length);
        } else {
            room.awaitTicket(conduit, conduit.get(pe, remote[pe] + place, target, targetOffset, length), pe);
        }
    }

    @Override
    public void putInt(SymmetricMemory target, long offset, int value, int pe) {
        long base = element("putInt", target, offset, Integer.BYTES, pe);
        if (base != 0) {
            AddressSpace.setIntOpaque(base, value);
        } else {
            putWord(target, offset, value, Integer.BYTES, pe);
        }
        wrote(Integer.BYTES);
    }

    @Override
    public void putLong(SymmetricMemory target, long offset, long value, int pe) {
        long base = element("putLong", target, offset, Long.BYTES, pe);
        if (base != 0) {
            AddressSpace.setLongOpaque(base, value);
        } else {
            putWord(target, offset, value, Long.BYTES, pe);
        }
        wrote(Long.BYTES);
    }

    @Override
    public void putFloat(SymmetricMemory target, long offset, float value, int pe) {
        long base = element("putFloat", target, offset, Float.BYTES, pe);
        if (base != 0) {
            AddressSpace.setIntOpaque(base, Float.floatToRawIntBits(value));
        } else {
            putWord(target, offset, Float.floatToRawIntBits(value), Float.BYTES, pe);
        }
        wrote(Float.BYTES);
    }

    @Override
    public void putDouble(SymmetricMemory target, long offset, double value, int pe) {
        long base = element("putDouble", target, offset, Double.BYTES, pe);
        if (base != 0) {
            AddressSpace.setLongOpaque(base, Double.doubleToRawLongBits(value));
        } else {
            putWord(target, offset, Double.doubleToRawLongBits(value), Double.BYTES, pe);
        }
        wrote(Double.BYTES);
    }

    @Override
    public int getInt(SymmetricMemory source, long offset, int pe) {
        long base = element("getInt", source, offset, Integer.BYTES, pe);
        read(Integer.BYTES);
        return base != 0 ? AddressSpace.getIntOpaque(base) : (int) getWord(source, offset, Integer.BYTES, pe);
    }

    @Override
    public long getLong(SymmetricMemory source, long offset, int pe) {
        long base = element("getLong", source, offset, Long.BYTES, pe);
        read(Long.BYTES);
        return base != 0 ? AddressSpace.getLongOpaque(base) : getWord(source, offset, Long.BYTES, pe);
    }

    @Override
    public float getFloat(SymmetricMemory source, long offset, int pe) {
        return Float.intBitsToFloat(getInt(source, offset, pe));
    }

    @Override
    public double getDouble(SymmetricMemory source, long offset, int pe) {
        return Double.longBitsToDouble(getLong(source, offset, pe));
    }

    @Override
    public long fetchAdd(SymmetricMemory target, long offset, long delta, int pe) {
        long base = element("fetchAdd", target, offset, Long.BYTES, pe);
        counters.atomics++;
        dirty = true;
        if (base != 0) {
            return AddressSpace.getAndAddLong(base, delta);
        }
        room.awaitTicket(conduit, conduit.fetchAdd(delta, pe, remotePlace(target, offset, pe), fetched), pe);
        return fetched.get(JAVA_LONG, 0);
    }

    @Override
    public void fence() {
        if (allDirect) {
            VarHandle.releaseFence();
        } else {
            conduit.fence();
        }
    }

    @Override
    public void quiet() {
        if (dirty) {
            if (allDirect) {
                VarHandle.fullFence();
            } else {
                room.awaitTicket(conduit, conduit.quiet(), -1);
            }
            dirty = false;
        }
    }

    @Override
    public long waitUntil(SymmetricMemory memory, long offset, Comparison comparison, long operand) {
        return waitUntil(memory, offset, comparison, operand, WaitingRoom.FOREVER);
    }

    @Override
    public long waitUntil(SymmetricMemory memory, long offset, Comparison comparison, long operand, Duration timeout) {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("waitUntil on PE " + me + ": timeout " + timeout + " is not positive");
        }
        // A timeout of more than 292 years is for ever.
        long nanos = timeout.toSeconds() >= Long.MAX_VALUE / 1_000_000_000 ? WaitingRoom.FOREVER : timeout.toNanos();
        return waitUntil(memory, offset, comparison, operand, nanos);
    }

    private long waitUntil(
            SymmetricMemory memory, long offset, Comparison comparison, long operand, long timeoutNanos) {
        PeMemory block = (PeMemory) memory;
        element("waitUntil", block, offset, Long.BYTES, me);
        // My own memory is always mapped, whatever the conduit.
        long address = block.address() + offset;
        long word = AddressSpace.getLongAcquire(address);
        if (comparison.holds(word, operand)) {
            return word;
        }
        return room.awaitWord(address, comparison, operand, block.offset + offset, timeoutNanos);
    }

    /// Checks target and source of a collective, which are places in everybody's memory.
    ///
    /// @param width bytes of an element, to which offsets must be aligned
    public void checkPair(
            String operation,
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long length,
            int width) {
        long to = place(operation, target, targetOffset, length, me);
        long from = place(operation, source, sourceOffset, length, me);
        if (((targetOffset | sourceOffset) & width - 1) != 0) {
            throw Refusal.misaligned(
                    operation, me, (targetOffset & width - 1) != 0 ? targetOffset : sourceOffset, width);
        }
        if (to != from && to < from + length && from < to + length) {
            throw Refusal.overlapping(operation, me, targetOffset, sourceOffset, length);
        }
    }

    /// Where a block lies in every PE's heap.
    public long offsetOf(SymmetricMemory memory) {
        return ((PeMemory) memory).offset;
    }

    /// Address of my own heap.
    public long heapAddress() {
        return direct[me];
    }

    /// Zeroes a part of my own heap.
    public void clear(long offset, long length) {
        AddressSpace.ALL.asSlice(direct[me] + offset, length).fill((byte) 0);
    }

    /// Compares and swaps a word that can't be loaded and stored.
    public long swapWord(long expected, long value, int pe, long place) {
        room.awaitTicket(conduit, conduit.compareAndSwap(expected, value, pe, place, fetched), pe);
        return fetched.get(JAVA_LONG, 0);
    }

    /// Checks a whole access and returns its place in the heap of `pe`.
    private long place(String operation, SymmetricMemory memory, long offset, long length, int pe) {
        PeMemory block = (PeMemory) memory;
        if (pe < 0
                || pe >= size
                || block.owner != this
                || (offset | length) < 0
                || length > block.byteSize
                || offset > block.byteSize - length) {
            throw Refusal.of(operation, this, me, size, block, offset, length, pe);
        }
        return block.offset + offset;
    }

    /// Checks an access to one element, and returns its address or 0 where it can't be loaded and stored.
    private long element(String operation, SymmetricMemory memory, long offset, int bytes, int pe) {
        long place = place(operation, memory, offset, bytes, pe);
        if ((offset & bytes - 1) != 0) {
            throw Refusal.misaligned(operation, me, offset, bytes);
        }
        long base = direct[pe];
        return base == 0 ? 0 : base + place;
    }

    private void checkRange(String operation, String role, MemorySegment segment, long offset, long length) {
        if ((offset | length) < 0 || offset > segment.byteSize() - length) {
            throw Refusal.ofSegment(operation, role, me, segment.byteSize(), offset, length);
        }
    }

    private long remotePlace(SymmetricMemory memory, long offset, int pe) {
        return remote[pe] + ((PeMemory) memory).offset + offset;
    }

    private void putWord(SymmetricMemory target, long offset, long word, int bytes, int pe) {
        conduit.putWord(word, bytes, pe, remotePlace(target, offset, pe));
    }

    private long getWord(SymmetricMemory source, long offset, int bytes, int pe) {
        room.awaitTicket(conduit, conduit.getWord(bytes, pe, remotePlace(source, offset, pe), fetched), pe);
        return fetched.get(JAVA_LONG, 0);
    }

    private void wrote(int bytes) {
        counters.puts++;
        counters.putBytes += bytes;
        dirty = true;
    }

    private void read(int bytes) {
        counters.gets++;
        counters.getBytes += bytes;
    }
}
