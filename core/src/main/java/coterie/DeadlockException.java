// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// Ends the waits of a job that is in a deadlock, if it was started with `--on-deadlock=fail`. The launcher has
/// reported the cause before.
public final class DeadlockException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Made by the runtime.
    ///
    /// @param message names the wait
    public DeadlockException(String message) {
        super(message);
    }
}
