// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;
import java.util.Arrays;
import java.util.List;

/// A PE that the operation depends on has failed: it was killed, ended with an error, or ended without
/// participating.
///
/// Unless the job runs with `--on-failure=continue` the launcher ends it; this exception then gives the survivors
/// the reason.
public class PeFailedException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int[] failed;

    /// @param failed world numbers of the failed PEs, ascending
    public PeFailedException(String message, List<Integer> failed) {
        super(message);
        this.failed = failed.stream().mapToInt(Integer::intValue).toArray();
    }

    /// Returns the world numbers of the PEs known to have failed when it was thrown, ascending and never empty.
    public List<Integer> failedPes() {
        return Arrays.stream(failed).boxed().toList();
    }
}
