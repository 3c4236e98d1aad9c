// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// Members of a team called different collectives, or passed different values of an argument that must agree. What
/// images and ranks must agree on is no exception: all modules throw this one.
///
/// The message has the call of each member, or what differs. If collectives of the team itself differ, the team is
/// *poisoned*: its later collectives throw this exception again, with the first cause.
public class CollectiveMismatchException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    /// For the runtime.
    public CollectiveMismatchException(String message) {
        super(message);
    }
}
