// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.PeJob;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// The end of a PE's process or connection, before the coordinator has decided how the PE ended.
final class ProcessEnd {
    /// When the coordinator decides without further messages, in nanoseconds; 0 if the process has not ended.
    long deadlineNanos;

    int exitCode = PeJob.UNKNOWN_EXIT_CODE;

    @Nullable
    CountDownLatch decided;
}
