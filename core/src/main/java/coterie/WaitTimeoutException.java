// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A wait reached its deadline before its condition held. The message has the word's last value and the condition.
///
/// Nothing has changed: the caller may wait again.
public class WaitTimeoutException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Thrown by the runtime; the message says all.
    public WaitTimeoutException(String message) {
        super(message);
    }
}
