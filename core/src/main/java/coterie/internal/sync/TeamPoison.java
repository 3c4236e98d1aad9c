// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.TeamRevokedException;

/// What every later use of a team throws.
final class TeamPoison {
    private TeamPoison() {}

    /// Returns the exception for an operation on a team that has ended or lost a member.
    ///
    /// @param cause what has ended it first
    static RuntimeException exception(Membership membership, String operation, RuntimeException cause) {
        String message = operation + " on PE " + membership.myPe() + ": team \"" + membership.name()
                + "\" can't be used any more: " + cause.getMessage();
        return switch (cause) {
            case PeFailedException failure -> new PeFailedException(message, failure.failedPes());
            case CollectiveMismatchException _ -> new CollectiveMismatchException(message);
            case TeamRevokedException revoked -> new TeamRevokedException(message, revoked.revoker());
            case CoterieException _ -> new CoterieException(message, cause);
            default -> new IllegalStateException(message);
        };
    }
}
