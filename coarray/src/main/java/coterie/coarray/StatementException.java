// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CoterieException;
import java.io.Serial;

/// A statement has another outcome than [Outcome.Ok], and its form without `try` in the name has no other way to
/// say so. Without a handler the image stops with an error, as a Fortran statement without `stat=` does.
public class StatementException extends CoterieException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    StatementException(String message, Outcome outcome) {
        super(message);
        this.outcome = outcome;
    }

    /// Returns the outcome.
    public Outcome outcome() {
        return outcome;
    }

    /// Makes the exception for an outcome.
    ///
    /// @param operation the statement and the team
    static StatementException of(String operation, Outcome outcome) {
        return switch (outcome) {
            case Outcome.Stopped(ImageSet images) ->
                new ImageStoppedException(operation + ": images " + images + " have stopped", outcome, images);
            case Outcome.Failed(ImageSet images) ->
                new ImageFailedException(operation + ": images " + images + " have failed", outcome, images);
            case Outcome.Abandoned(int image, String reason) ->
                new TeamAbandonedException(
                        operation + ": image " + image + " has left the team by an exception: " + reason,
                        outcome,
                        image);
            case Outcome.TimedOut _ -> new StatementException(operation + ": the time limit is over", outcome);
            case Outcome.Fault(int _, String text) -> new StatementException(operation + ": " + text, outcome);
            case Outcome.Ok _ -> throw new IllegalArgumentException(operation + ": the outcome is Ok");
        };
    }
}
