// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A member has revoked the team by [Team#revoke]: its collectives and requests end on all members.
public class TeamRevokedException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    public TeamRevokedException(String message) {
        super(message);
    }
}
