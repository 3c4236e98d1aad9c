// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.SymmetricMemory;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A block of memory that kernels of a team name by number.
public final class DeviceBlock {
    private final @Nullable SymmetricMemory memory;
    private final long byteSize;
    private final long[] bases;
    private final long[] atomicBases;

    /// @param memory the block in host memory; null for device memory, which the ring does not reach
    /// @param byteSize bytes on each member
    /// @param bases the addresses that this device has for the members' parts; 0 where it does not map one
    /// @param atomicBases as `bases`; 0 also where atomics of kernels are not atomic for all writers
    public DeviceBlock(@Nullable SymmetricMemory memory, long byteSize, long[] bases, long[] atomicBases) {
        if (byteSize < 0) {
            throw new IllegalArgumentException("DeviceBlock: " + byteSize + " bytes; allowed are 0 and more");
        }
        this.memory = memory;
        this.byteSize = byteSize;
        this.bases = Objects.requireNonNull(bases, "DeviceBlock: bases is null").clone();
        this.atomicBases = Objects.requireNonNull(atomicBases, "DeviceBlock: atomicBases is null")
                .clone();
    }

    /// Returns the block of symmetric memory with what kernels reach of it.
    ///
    /// @param hasAtomics whether atomics of kernels on it are atomic for the host's processors
    public static DeviceBlock ofHost(SymmetricMemory memory, long[] bases, boolean hasAtomics) {
        return new DeviceBlock(memory, memory.byteSize(), bases, hasAtomics ? bases : new long[bases.length]);
    }

    @Nullable
    SymmetricMemory memory() {
        return memory;
    }

    long byteSize() {
        return byteSize;
    }

    int members() {
        return bases.length;
    }

    long base(int member) {
        return bases[member];
    }

    /// Returns the address for atomics: 0 where the host applies them, if the block is its memory.
    long atomicBase(int member) {
        return atomicBases[member];
    }
}
