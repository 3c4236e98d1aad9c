// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A wait reached its deadline before its condition held; the message has the last value and the condition.
/// Nothing has changed: the caller may wait again.
public class WaitTimeoutException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// For the runtime.
    public WaitTimeoutException(String message) {
        super(message);
    }
}
