// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;

/// Thrown on each PE that waits when no PE of a simulated job can continue and no message is in flight. The
/// message lists what each PE waits for.
public final class DeadlockException extends CoterieException {
    private static final long serialVersionUID = 1;

    DeadlockException(String message) {
        super(message);
    }
}
