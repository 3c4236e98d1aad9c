// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.PeFailedException;
import coterie.internal.wait.WaitingRoom;

/// The failures that the quiets of a context have reported: each is reported once.
final class ReportedFailures {
    private final WaitingRoom room;
    private int reported;

    ReportedFailures(WaitingRoom room) {
        this.room = room;
    }

    /// Throws if PEs have failed that no quiet of the context has reported.
    ///
    /// @param operation the quiet, for the message
    void throwNew(String operation) {
        if (room.hasFailures()) {
            PeFailedException failure = room.failuresBeyond(reported, operation);
            if (failure != null) {
                reported = failure.failedPes().size();
                throw failure;
            }
        }
    }
}
