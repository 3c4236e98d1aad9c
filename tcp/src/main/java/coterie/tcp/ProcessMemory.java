// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;

/// Memory of this process at absolute addresses: sources and results of the program, which a thread of the conduit
/// may read and write whatever thread the program confines them to. Accesses check no bounds; callers do.
final class ProcessMemory {
    /// All of this process's memory: offset = address.
    @SuppressWarnings("restricted")
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    /// The most bytes of one view: a power of two below the limit of a buffer.
    static final long VIEW_BYTES = 1L << 30;

    private static final VarHandle LONG = JAVA_LONG.varHandle();

    private ProcessMemory() {}

    /// Returns a view by which a socket reads or writes the memory in place.
    ///
    /// @param length at most [#VIEW_BYTES]
    static ByteBuffer view(long address, long length) {
        return ALL.asSlice(address, length).asByteBuffer();
    }

    /// Loads 8 bytes, and with them what was ordered before them.
    static long getLongAcquire(long address) {
        return (long) LONG.getAcquire(ALL, address);
    }
}
