// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/// Loads, stores and atomics at absolute addresses, with the memory order in the name.
///
/// The address space is one constant segment, so that the compiler folds it away and an access is one instruction;
/// it checks alignment but no bounds, which is the callers' duty, once per operation.
///
/// Few kinds of access on purpose: each kind that a program uses costs its start about a millisecond.
///
/// Opaque accesses are indivisible and neither dropped nor repeated by the compiler, and order nothing else.
public final class AddressSpace {
    /// All of this process's memory: offset = address.
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final VarHandle SHORT = JAVA_SHORT.varHandle();
    private static final VarHandle BYTE = JAVA_BYTE.varHandle();

    private AddressSpace() {}

    /// What a segment refers to until its arena ends.
    private record KeptMapping(Arena mapped) implements Consumer<MemorySegment> {
        /// The mapping may go from now on.
        @Override
        public void accept(MemorySegment ended) {}
    }

    /// Returns a part of this process's memory as a segment that ends with an arena.
    @SuppressWarnings("restricted")
    public static MemorySegment segment(long address, long byteSize, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(byteSize, arena, null);
    }

    /// Returns a part of a mapping as a segment that ends with an arena, and keeps the mapping until then. An
    /// arena that never ends keeps nothing: then the segment is one of the mapping's arena.
    ///
    /// @param mapped the arena of the mapping: the global one, or one that a collector ends
    @SuppressWarnings("restricted")
    public static MemorySegment segment(long address, long byteSize, Arena until, Arena mapped) {
        MemorySegment.Scope endless = Arena.global().scope();
        if (mapped.scope().equals(endless)) {
            return segment(address, byteSize, until);
        }
        return until.scope().equals(endless)
                ? segment(address, byteSize, mapped)
                : MemorySegment.ofAddress(address).reinterpret(byteSize, until, new KeptMapping(mapped));
    }

    /// Returns a mapping as a segment of an arena that a collector ends: the mapping goes when no segment of the
    /// arena is reachable any more.
    @SuppressWarnings("restricted")
    public static MemorySegment mapping(long address, long byteSize, Arena arena) {
        return MemorySegment.ofAddress(address)
                .reinterpret(byteSize, arena, ended -> Libc.unmap(ended.address(), ended.byteSize()));
    }

    public static long getLongOpaque(long address) {
        return (long) LONG.getOpaque(ALL, address);
    }

    public static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    /// Returns words from an address on.
    public static long[] getLongsOpaque(long address, int count) {
        long[] words = new long[count];
        for (int word = 0; word < count; word++) {
            words[word] = getLongOpaque(address + (long) word * Long.BYTES);
        }
        return words;
    }

    public static void setLongOpaque(long address, long value) {
        LONG.setOpaque(ALL, address, value);
    }

    public static void setLongRelease(long address, long value) {
        LONG.setRelease(ALL, address, value);
    }

    public static long getAndAddLong(long address, long delta) {
        return (long) LONG.getAndAdd(ALL, address, delta);
    }

    public static long compareAndExchangeLong(long address, long expected, long value) {
        return (long) LONG.compareAndExchange(ALL, address, expected, value);
    }

    public static long getAndSetLong(long address, long value) {
        return (long) LONG.getAndSet(ALL, address, value);
    }

    public static long getAndBitwiseAndLong(long address, long mask) {
        return (long) LONG.getAndBitwiseAnd(ALL, address, mask);
    }

    public static long getAndBitwiseOrLong(long address, long mask) {
        return (long) LONG.getAndBitwiseOr(ALL, address, mask);
    }

    public static long getAndBitwiseXorLong(long address, long mask) {
        return (long) LONG.getAndBitwiseXor(ALL, address, mask);
    }

    public static boolean compareAndSetLong(long address, long expected, long value) {
        return LONG.compareAndSet(ALL, address, expected, value);
    }

    public static int getIntOpaque(long address) {
        return (int) INT.getOpaque(ALL, address);
    }

    public static void setIntOpaque(long address, int value) {
        INT.setOpaque(ALL, address, value);
    }

    public static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    public static int getAndAddInt(long address, int delta) {
        return (int) INT.getAndAdd(ALL, address, delta);
    }

    public static int getAndSetInt(long address, int value) {
        return (int) INT.getAndSet(ALL, address, value);
    }

    public static int compareAndExchangeInt(long address, int expected, int value) {
        return (int) INT.compareAndExchange(ALL, address, expected, value);
    }

    public static int getAndBitwiseAndInt(long address, int mask) {
        return (int) INT.getAndBitwiseAnd(ALL, address, mask);
    }

    public static int getAndBitwiseOrInt(long address, int mask) {
        return (int) INT.getAndBitwiseOr(ALL, address, mask);
    }

    public static int getAndBitwiseXorInt(long address, int mask) {
        return (int) INT.getAndBitwiseXor(ALL, address, mask);
    }

    public static short getShortOpaque(long address) {
        return (short) SHORT.getOpaque(ALL, address);
    }

    public static short getShortAcquire(long address) {
        return (short) SHORT.getAcquire(ALL, address);
    }

    public static void setShortOpaque(long address, short value) {
        SHORT.setOpaque(ALL, address, value);
    }

    public static byte getByteOpaque(long address) {
        return (byte) BYTE.getOpaque(ALL, address);
    }

    public static byte getByteAcquire(long address) {
        return (byte) BYTE.getAcquire(ALL, address);
    }

    public static void setByteOpaque(long address, byte value) {
        BYTE.setOpaque(ALL, address, value);
    }
}
