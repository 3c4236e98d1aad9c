// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.CoterieException;
import java.io.Serial;

/// A call that breaks GIN's contract. Arguments out of range are [IndexOutOfBoundsException] and
/// [IllegalArgumentException], arguments that differ between the ranks [coterie.CollectiveMismatchException],
/// closed communicators and windows [IllegalStateException], timeouts [coterie.WaitTimeoutException], failed PEs
/// [coterie.PeFailedException].
public final class GinException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final GinError error;

    GinException(GinError error, String message) {
        super(message);
        this.error = error;
    }

    GinException(GinError error, String message, Throwable cause) {
        super(message, cause);
        this.error = error;
    }

    /// Returns the kind.
    public GinError error() {
        return error;
    }
}
