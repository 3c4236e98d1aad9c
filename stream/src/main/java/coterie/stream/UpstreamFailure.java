// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.io.Serial;

/// Carries the failure of a stream to one that waits for it. The program never gets it.
final class UpstreamFailure extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final String text;
    private final transient Throwable first;

    UpstreamFailure(OperationLane lane, OperationFailure failure) {
        super(null, failure.cause(), false, false);
        this.first = failure.cause();
        this.text = lane.id(failure.position()) + ", " + failure.operation();
    }

    /// Returns the first cause.
    Throwable first() {
        return first;
    }

    /// Returns the operation that has failed there.
    String text() {
        return text;
    }
}
