// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.io.Serial;

/// An image has left the scope of the statement's team by an exception: the outcome is [Outcome.Abandoned]. The
/// team's parent is not affected.
public class TeamAbandonedException extends StatementException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int image;

    TeamAbandonedException(String message, Outcome outcome, int image) {
        super(message, outcome);
        this.image = image;
    }

    /// Returns the image that has left, as the statement's team numbers it.
    public int image() {
        return image;
    }
}
