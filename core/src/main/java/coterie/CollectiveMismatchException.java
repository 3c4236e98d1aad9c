// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// The members of a team called different collectives, or the same one with arguments that must agree and do not.
///
/// The message names who called what. The team is *poisoned*: later collectives on it throw this exception again,
/// with the first cause.
public class CollectiveMismatchException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// Thrown by the runtime; the message says all.
    public CollectiveMismatchException(String message) {
        super(message);
    }
}
