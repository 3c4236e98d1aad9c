// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.PeState;
import java.util.Objects;

/// How a PE ended.
///
/// @param state ENDED or FAILED
/// @param exitCode of its process, or [coterie.spi.PeJob#UNKNOWN_EXIT_CODE]; 0 for a PE without a failure that has
///     no process of its own
/// @param reason one phrase if the exit code is unknown, else empty
public record PeExit(int pe, PeState state, int exitCode, String reason) {
    /// Checks for nulls.
    public PeExit {
        Objects.requireNonNull(state, "PeExit: state is null");
        Objects.requireNonNull(reason, "PeExit: reason is null");
    }
}
