// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// Ends the waits of a job that can't go on: of a job that was started with `--on-deadlock=fail`, whose launcher
/// has reported the cause before; or of a simulated job in which no PE can continue and no message is in flight,
/// where the message lists what each PE waits for.
public final class DeadlockException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Made by the runtime.
    ///
    /// @param message names the wait, or what each PE waits for
    public DeadlockException(String message) {
        super(message);
    }
}
