// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

/// The memory that this process may use of the machine. The source is `/proc` and `/sys` and not the JDK's bean,
/// because loading the bean takes a launcher more time than starting a PE.
public final class MachineMemory {
    private static final long MIB = 1L << 20;

    /// The default of symmetric memory is at most this large. Untouched symmetric memory takes no pages, but it
    /// takes addresses, which are limited, and page tables.
    private static final long MOST_DEFAULT_HEAP = 16L << 30;

    private MachineMemory() {}

    /// Returns the memory of the machine in bytes, or the limit of a control group if this is less.
    public static long bytes() {
        long least = ProcFile.memoryBytes("MemTotal");
        for (ControlGroup group : ControlGroup.thatLimit()) {
            least = Math.min(least, group.limitBytes());
        }
        return least;
    }

    /// Returns the default symmetric memory of each PE in bytes. The PEs of a machine share a quarter of its
    /// memory; the result is in whole MiB, and at most 16 GiB.
    public static long defaultHeapBytes(int pes) {
        return Math.clamp(bytes() / 4 / Math.max(1, pes) / MIB * MIB, MIB, MOST_DEFAULT_HEAP);
    }
}
