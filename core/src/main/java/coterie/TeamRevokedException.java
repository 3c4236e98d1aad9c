// SPDX-License-Identifier: Apache-2.0
package coterie;

import java.io.Serial;

/// A member has revoked the team by [Team#revoke]: its collectives and requests end on all members.
public class TeamRevokedException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int revoker;

    /// @param revoker world number of the PE that has revoked the team
    public TeamRevokedException(String message, int revoker) {
        super(message);
        this.revoker = revoker;
    }

    /// Returns the world number of the PE that has revoked the team; where several have, one of them.
    public int revoker() {
        return revoker;
    }
}
