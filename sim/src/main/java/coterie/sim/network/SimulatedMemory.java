// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.AtomicOperation;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/// The memory of all PEs: the parts of a region are adjacent. It is kept from run to run; heaps are zero at the
/// begin of each world.
public final class SimulatedMemory {
    private static final long PAGE = 4096;

    /// Each heap begins at a multiple of this, so that blocks may have any alignment up to it.
    private static final long HEAP_ALIGNMENT = 1L << 30;

    /// Requests of fewer bytes skip the check, which would take longer than the memory is worth.
    private static final long MIN_CHECKED = 1 << 20;

    private final int size;
    private final LongFunction<MemorySegment> source;
    private final LongFunction<Optional<String>> refuses;
    private @Nullable MemorySegment sync;
    private @Nullable MemorySegment heap;
    private long syncBytes;
    private long heapBytes;
    private long heapStride;

    /// @param source returns zeroed memory, of which the system takes pages when they are touched
    /// @param refuses returns why each PE can't touch so many more bytes, if so
    public SimulatedMemory(int size, LongFunction<MemorySegment> source, LongFunction<Optional<String>> refuses) {
        this.size = size;
        this.source = source;
        this.refuses = refuses;
    }

    /// Allocates a region; all PEs ask for the same size.
    void open(Region region, long bytes) {
        long rounded = Math.max(PAGE, roundUp(bytes, PAGE));
        if (region == Region.SYNC && sync == null) {
            syncBytes = rounded;
            sync = source.apply(size * rounded);
        } else if (region == Region.HEAP && (heap == null || heapBytes < rounded)) {
            heapBytes = rounded;
            heapStride = roundUp(rounded, HEAP_ALIGNMENT);
            heap = source.apply(size * heapStride);
        }
    }

    private static long roundUp(long bytes, long to) {
        return (bytes + to - 1) / to * to;
    }

    /// Returns why a PE can't have so many more bytes of its heap, if so.
    Optional<String> refusal(long bytes) {
        return bytes < MIN_CHECKED ? Optional.empty() : refuses.apply(bytes);
    }

    private MemorySegment whole(Region region) {
        return Objects.requireNonNull(region == Region.SYNC ? sync : heap, "the region is not allocated yet");
    }

    /// Returns where a PE's part begins.
    private long begin(Region region, int pe) {
        return pe * (region == Region.SYNC ? syncBytes : heapStride);
    }

    /// Returns the address of a PE's part, or 0 before it is allocated.
    long address(Region region, int pe) {
        return region == Region.HEAP && heap == null ? 0 : whole(region).address() + begin(region, pe);
    }

    /// Returns the offset of an address in a PE's heap, or −1.
    long offsetInHeap(int pe, long address, long length) {
        if (heap == null) {
            return -1;
        }
        long offset = address - address(Region.HEAP, pe);
        return offset >= 0 && offset <= heapBytes - length ? offset : -1;
    }

    void zeroHeap(int pe, long offset, long length) {
        if (length > 0) {
            whole(Region.HEAP).asSlice(begin(Region.HEAP, pe) + offset, length).fill((byte) 0);
        }
    }

    void write(MemorySegment from, long fromOffset, long length, Region region, int pe, long offset) {
        MemorySegment.copy(from, fromOffset, whole(region), begin(region, pe) + offset, length);
    }

    void read(Region region, int pe, long offset, long length, MemorySegment to, long toOffset) {
        MemorySegment.copy(whole(region), begin(region, pe) + offset, to, toOffset, length);
    }

    /// Returns a word of 1, 2, 4 or 8 bytes, zero-extended.
    long load(Region region, int pe, long offset, int bytes) {
        return load(whole(region), begin(region, pe) + offset, bytes);
    }

    void store(Region region, int pe, long offset, int bytes, long word) {
        store(whole(region), begin(region, pe) + offset, bytes, word);
    }

    /// Executes an atomic operation. Returns the word before it.
    long apply(AtomicOperation operation, Region region, int pe, long offset, int bytes, long operand) {
        long before = load(region, pe, offset, bytes);
        long after = switch (operation) {
            case FETCH -> before;
            case SWAP -> operand;
            case ADD -> before + operand;
            case AND -> before & operand;
            case OR -> before | operand;
            case XOR -> before ^ operand;
        };
        if (operation != AtomicOperation.FETCH) {
            store(region, pe, offset, bytes, after);
        }
        return before;
    }

    /// Replaces a word if it is the expected one. Returns the word before it.
    long compareAndSwap(Region region, int pe, long offset, int bytes, long expected, long value) {
        long before = load(region, pe, offset, bytes);
        if (isSwapped(before, expected, bytes)) {
            store(region, pe, offset, bytes, value);
        }
        return before;
    }

    /// Returns whether a compare-and-swap that found `before` has replaced the word.
    static boolean isSwapped(long before, long expected, int bytes) {
        long mask = bytes == Long.BYTES ? -1 : (1L << (8 * bytes)) - 1;
        return before == (expected & mask);
    }

    /// Returns a number that is equal for equal bytes, and hardly ever for others.
    static long digest(MemorySegment memory, long offset, long length) {
        long digest = length;
        long at = offset;
        for (; at + Long.BYTES <= offset + length; at += Long.BYTES) {
            digest = mix(digest, memory.get(JAVA_LONG_UNALIGNED, at));
        }
        for (; at < offset + length; at++) {
            digest = mix(digest, memory.get(JAVA_BYTE, at));
        }
        return digest;
    }

    private static long mix(long digest, long word) {
        long mixed = (digest ^ word) * 0x9E37_79B9_7F4A_7C15L;
        return mixed ^ (mixed >>> Integer.SIZE);
    }

    private static long load(MemorySegment memory, long offset, int bytes) {
        return switch (bytes) {
            case Long.BYTES -> memory.get(JAVA_LONG_UNALIGNED, offset);
            case Integer.BYTES -> Integer.toUnsignedLong(memory.get(JAVA_INT_UNALIGNED, offset));
            case Short.BYTES -> Short.toUnsignedLong(memory.get(JAVA_SHORT_UNALIGNED, offset));
            default -> Byte.toUnsignedLong(memory.get(JAVA_BYTE, offset));
        };
    }

    /// Stores the low bytes of a word.
    static void store(MemorySegment memory, long offset, int bytes, long word) {
        switch (bytes) {
            case Long.BYTES -> memory.set(JAVA_LONG_UNALIGNED, offset, word);
            case Integer.BYTES -> memory.set(JAVA_INT_UNALIGNED, offset, (int) word);
            case Short.BYTES -> memory.set(JAVA_SHORT_UNALIGNED, offset, (short) word);
            default -> memory.set(JAVA_BYTE, offset, (byte) word);
        }
    }
}
