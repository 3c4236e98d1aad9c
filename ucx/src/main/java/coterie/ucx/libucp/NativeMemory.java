// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Memory of this process at absolute addresses: the memory that peers reach, and what UCX passes to
/// callbacks. Accesses check no bounds; callers do.
///
/// Words of 1 to 8 bytes travel in the low bits of a `long`; what is read is zero-extended.
public final class NativeMemory {
    /// All of this process's memory: offset = address.
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle LONG = JAVA_LONG.varHandle();
    private static final VarHandle INT = JAVA_INT.varHandle();

    private NativeMemory() {}

    /// Returns a text that ends with a zero byte.
    public static String text(long address) {
        return ALL.getString(address);
    }

    /// Copies bytes to a new array.
    public static byte[] bytes(long address, long length) {
        return ALL.asSlice(address, length).toArray(JAVA_BYTE);
    }

    /// Loads 8 bytes, and with them what was ordered before them.
    public static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }

    /// Replaces 8 bytes that hold an expected value. Returns the value before.
    static long compareAndExchangeLong(long address, long expected, long value) {
        return (long) LONG.compareAndExchange(ALL, address, expected, value);
    }

    static int getIntAcquire(long address) {
        return (int) INT.getAcquire(ALL, address);
    }

    static int compareAndExchangeInt(long address, int expected, int value) {
        return (int) INT.compareAndExchange(ALL, address, expected, value);
    }
}
