// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.WaitTimeoutException;
import java.io.Serial;

/// A statement has another outcome than [Outcome.Ok], and its form without `try` in the name has no other way to
/// say so. A time limit that is over is a [WaitTimeoutException] instead, and statements or arguments that differ
/// between the images are a [CollectiveMismatchException]. Without a handler the image stops with an error, as
/// a Fortran statement without `stat=` does.
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

    /// Throws the exception for an outcome of a statement in a team, unless that is Ok.
    static void unlessOk(String operation, Outcome outcome, ImageTeam team) {
        if (!outcome.isOk()) {
            throw of(operation + " in " + team.path(), outcome);
        }
    }

    /// Makes the exception for an outcome.
    ///
    /// @param operation the statement and the team
    static CoterieException of(String operation, Outcome outcome) {
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
            case Outcome.TimedOut _ -> new WaitTimeoutException(operation + ": the time limit is over");
            case Outcome.Fault(int code, String text)
            when code == Outcome.Fault.MISMATCH -> new CollectiveMismatchException(operation + ": " + text);
            case Outcome.Fault(int _, String text) -> new StatementException(operation + ": " + text, outcome);
            case Outcome.Ok _ -> throw new IllegalArgumentException(operation + ": the outcome is Ok");
        };
    }

    /// Makes the exception for an outcome of `lock`.
    ///
    /// @param operation the statement, the lock and the team
    static CoterieException of(String operation, LockOutcome outcome) {
        return switch (outcome) {
            case LockOutcome.AcquiredFromFailed(int image) -> new LockRecoveredException(operation, image);
            case LockOutcome.Failed(int image) -> of(operation, new Outcome.Failed(ImageSet.of(image)));
            case LockOutcome.Busy _ ->
                new StatementException(operation + ": another image has it", new Outcome.Fault(outcome.code(), "busy"));
            case LockOutcome.AlreadyMine _ ->
                new StatementException(
                        operation + ": this image has it already",
                        new Outcome.Fault(outcome.code(), "locked by this image"));
            case LockOutcome.Acquired _ -> throw new IllegalArgumentException(operation + ": the outcome is Acquired");
        };
    }

    /// Makes the exception for an outcome of `unlock`.
    ///
    /// @param operation the statement, the lock and the team
    static CoterieException of(String operation, UnlockOutcome outcome) {
        return switch (outcome) {
            case UnlockOutcome.Failed(int image) -> of(operation, new Outcome.Failed(ImageSet.of(image)));
            case UnlockOutcome.NotLocked _ ->
                new StatementException(
                        operation + ": no image has the lock", new Outcome.Fault(outcome.code(), "unlocked"));
            case UnlockOutcome.NotMine(int image) ->
                new StatementException(
                        operation + ": image " + image + " of the initial team has the lock",
                        new Outcome.Fault(outcome.code(), "locked by image " + image));
            case UnlockOutcome.Released _ ->
                throw new IllegalArgumentException(operation + ": the outcome is Released");
        };
    }
}
