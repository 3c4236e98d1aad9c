// SPDX-License-Identifier: Apache-2.0
package coterie.ucx.libucp;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// Memory of this process at absolute addresses: the memory that peers reach, and what UCX passes to
/// callbacks. Accesses check no bounds; callers do.
public final class NativeMemory {
    /// All of this process's memory: offset = address.
    @SuppressWarnings("restricted")
    public static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private static final VarHandle LONG = JAVA_LONG.varHandle();

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
}
