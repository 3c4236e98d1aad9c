// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import coterie.spi.PeState;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

/// How a job ended.
///
/// @param abortCode exit code of an abort, if a PE or the coordinator has aborted the job
/// @param pes how the PEs ended, by their numbers
public record JobEnd(OptionalInt abortCode, List<PeExit> pes) {
    /// Copies the list.
    public JobEnd {
        Objects.requireNonNull(abortCode, "JobEnd: abortCode is null");
        pes = List.copyOf(Objects.requireNonNull(pes, "JobEnd: pes is null"));
    }

    /// Returns whether all PEs ended without a failure, and the job was not aborted.
    public boolean isSuccess() {
        return abortCode.isEmpty() && pes.stream().allMatch(each -> each.state() == PeState.ENDED);
    }
}
