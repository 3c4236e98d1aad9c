// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import coterie.internal.posix.ControlGroup;
import coterie.internal.posix.ProcFile;
import java.util.Locale;
import java.util.Optional;

/// How much memory this process may still get: the machine's, and that of each control group above it. Asked
/// before pages are reserved, because the kernel answers too late, by killing.
///
/// @param availableBytes what is left
/// @param source the limit's name and figures, for messages
public record MemoryLimit(long availableBytes, String source) {

    /// The tightest of all limits.
    public static MemoryLimit tightest() {
        long available = ProcFile.memoryBytes("MemAvailable");
        MemoryLimit tightest = new MemoryLimit(available, "the machine has " + mebibytes(available) + " available");
        for (ControlGroup group : ControlGroup.thatLimit()) {
            long left = Math.max(0, group.limitBytes() - group.usedBytes());
            if (left < tightest.availableBytes) {
                tightest = new MemoryLimit(
                        left,
                        "control group " + group.folder() + " is limited to " + mebibytes(group.limitBytes())
                                + " and uses " + mebibytes(group.usedBytes()));
            }
        }
        return tightest;
    }

    /// Why a block can't have its pages, if so.
    ///
    /// @param length of the block
    /// @param asked bytes that all PEs together would take
    public Optional<String> refusal(long length, long asked, int pes) {
        return asked <= availableBytes
                ? Optional.empty()
                : Optional.of(mebibytes(length) + " on each of " + pes + " PEs, but " + source);
    }

    static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }
}
