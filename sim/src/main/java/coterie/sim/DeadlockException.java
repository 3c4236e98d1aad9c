// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import coterie.CoterieException;

/// Nobody in a simulated job can go on: each PE waits for something that nothing under way will bring. The message
/// has what each waits for.
public final class DeadlockException extends CoterieException {
    private static final long serialVersionUID = 1;

    DeadlockException(String message) {
        super(message);
    }
}
