// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.WaitTimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The statements of one image on one team: numbers them, runs them as collectives of core, and turns exceptions
/// of core into outcomes.
final class TeamStatements {
    private static final int STEP_BITS = 8;

    private final ImageRuntime runtime;
    private final Team core;
    private final TeamAgreement agreement;
    private long count;

    /// Whether a statement has found a failed member: core's collectives of this team throw from then on.
    private boolean isDegraded;

    /// Whether an image has left the team, or has stopped, while others were at a statement that it never reaches.
    /// They may have reached the statement that this image is at.
    private boolean isRevoked;

    /// What the caller itself has left the team with, or null.
    private @Nullable Outcome left;

    private boolean isClosed;

    TeamStatements(ImageRuntime runtime, Team core, Roster roster) {
        this.runtime = runtime;
        this.core = core;
        this.agreement = TeamAgreement.ofFormed(runtime, roster);
    }

    TeamAgreement agreement() {
        return agreement;
    }

    /// Returns the phase of the latest statement.
    long phase() {
        return count << STEP_BITS;
    }

    boolean isClosed() {
        return isClosed;
    }

    void close() {
        isClosed = true;
    }

    void leave(Outcome why) {
        left = why;
    }

    /// Begins a statement. This image's part is published before it looks at which images have stopped; an image
    /// that stops does it in the opposite order, so one of the two notices the other.
    ///
    /// @return why the statement can't begin, or null
    @Nullable
    Outcome begin(String operation, ImageTeam team) {
        runtime.checkThread(operation);
        if (isClosed) {
            throw new IllegalStateException(operation + ": " + team.path() + " is closed");
        }
        if (left != null) {
            return left;
        }
        count++;
        agreement.publish(phase());
        return runtime.anyStopped() ? agreement.stoppedBefore(phase()) : null;
    }

    /// Counts a statement whose work other images may do and this one does not: their later statements have the
    /// same phases.
    void pass() {
        if (left == null && !isClosed) {
            count++;
            agreement.publish(phase());
        }
    }

    /// Synchronises the living images of the team.
    Outcome sync(String operation, ImageTeam team) {
        Outcome refused = begin(operation, team);
        if (refused != null) {
            return refused;
        }
        if (!isDegraded && !isRevoked) {
            try {
                core.barrier();
                runtime.step("IMAGES_SYNC", 0);
                return Outcome.Ok.DONE;
            } catch (PeFailedException e) {
                isDegraded = true;
            } catch (TeamRevokedException e) {
                isRevoked = true;
            } catch (CollectiveMismatchException e) {
                return classified(e);
            }
        }
        Outcome blocked = agreement.await(operation, phase());
        if (blocked != null) {
            return blocked;
        }
        ImageSet failed = agreement.failed();
        return failed.isEmpty() ? Outcome.Ok.DONE : new Outcome.Failed(failed);
    }

    /// Runs a collective of core, which needs all images.
    ///
    /// @param body may return null, and throws what core throws
    <R extends @Nullable Object> Attempt<R> collective(String operation, ImageTeam team, Supplier<R> body) {
        Outcome refused = begin(operation, team);
        if (refused != null) {
            return Attempt.failed(refused);
        }
        if (isDegraded) {
            return Attempt.failed(new Outcome.Failed(agreement.failed()));
        }
        try {
            return new Attempt<>(Outcome.Ok.DONE, body.get());
        } catch (CoterieException e) {
            return Attempt.failed(classified(e));
        }
    }

    /// The result of a statement.
    ///
    /// @param value null if the outcome is not Ok
    record Attempt<R extends @Nullable Object>(
            Outcome outcome, @Nullable R value) {
        static <R extends @Nullable Object> Attempt<R> failed(Outcome outcome) {
            return new Attempt<>(outcome, null);
        }
    }

    /// Returns the outcome for an exception of core.
    Outcome classified(CoterieException thrown) {
        Outcome stopped = runtime.anyStopped() ? agreement.stoppedBefore(phase()) : null;
        if (stopped != null) {
            return stopped;
        }
        ImageSet failed = agreement.failed();
        isDegraded |= !failed.isEmpty();
        if (thrown instanceof PeFailedException && !failed.isEmpty()) {
            return new Outcome.Failed(failed);
        }
        Outcome abandoned = agreement.abandoned();
        if (abandoned != null) {
            return abandoned;
        }
        ImageSet gone = agreement.stopped();
        if (thrown instanceof TeamRevokedException && !gone.isEmpty()) {
            return new Outcome.Stopped(gone); // it has done this statement, and waits for no later one
        }
        return switch (thrown) {
            case WaitTimeoutException _ -> new Outcome.TimedOut();
            case CollectiveMismatchException _ -> new Outcome.Fault(Outcome.Fault.MISMATCH, text(thrown));
            case SymmetricMemoryException _ -> new Outcome.Fault(Outcome.Fault.OUT_OF_MEMORY, text(thrown));
            default -> new Outcome.Fault(Outcome.Fault.RUNTIME, text(thrown));
        };
    }

    private static String text(Throwable thrown) {
        return String.valueOf(thrown.getMessage());
    }
}
