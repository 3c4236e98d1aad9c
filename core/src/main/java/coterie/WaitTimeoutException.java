// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A wait reached its time limit before its condition held; the message has what it waited for, and what there was
/// instead. Every timeout of every module is one. The caller may wait again, unless the call says otherwise.
public class WaitTimeoutException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// For the runtime.
    public WaitTimeoutException(String message) {
        super(message);
    }
}
