// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.PeFailedException;
import coterie.internal.wait.PeRuntime;

/// The failures that the quiets of a context have reported: each is reported once.
final class ReportedFailures {
    private final PeRuntime runtime;
    private int reported;

    ReportedFailures(PeRuntime runtime) {
        this.runtime = runtime;
    }

    /// Throws if PEs have failed that no quiet of the context has reported.
    ///
    /// @param operation the quiet, for the message
    void throwNew(String operation) {
        if (runtime.hasFailures()) {
            PeFailedException failure = runtime.failuresBeyond(reported, operation);
            if (failure != null) {
                reported = failure.failedPes().size();
                throw failure;
            }
        }
    }
}
