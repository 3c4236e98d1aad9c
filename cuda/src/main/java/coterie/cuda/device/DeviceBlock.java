// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.SymmetricMemory;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A block of memory that kernels of a team name by number.
///
/// @param memory the block in host memory, numbered as the team; null for device memory, which the ring does not
///     reach
/// @param byteSize bytes on each member
/// @param bases the addresses that this device has for the members' parts; 0 where it does not map one
/// @param hasAtomics whether atomics of kernels on the mapped parts are atomic for all writers
public record DeviceBlock(@Nullable SymmetricMemory memory, long byteSize, long[] bases, boolean hasAtomics) {
    public DeviceBlock {
        Objects.requireNonNull(bases, "DeviceBlock: bases is null");
        if (byteSize < 0) {
            throw new IllegalArgumentException("DeviceBlock: " + byteSize + " bytes; allowed are 0 and more");
        }
        bases = bases.clone();
    }

    /// Returns the addresses for atomics: zeros where the host applies them.
    long[] atomics() {
        return hasAtomics ? bases : new long[bases.length];
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DeviceBlock block
                && memory == block.memory
                && byteSize == block.byteSize
                && hasAtomics == block.hasAtomics
                && Arrays.equals(bases, block.bases);
    }

    @Override
    public int hashCode() {
        return Objects.hash(memory, byteSize, hasAtomics, Arrays.hashCode(bases));
    }

    @Override
    public String toString() {
        return "DeviceBlock[" + byteSize + " bytes of " + (memory == null ? "device" : "host") + " memory]";
    }
}
