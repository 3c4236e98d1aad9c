// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CoterieException;
import coterie.collective.Request;
import org.jspecify.annotations.Nullable;

/// A collective under way. It makes progress while the image waits for anything. Answers to the completion objects
/// of Fortran 202Y.
public final class Completion {
    private final ImageTeam team;
    private final @Nullable Request request;
    private @Nullable Outcome outcome;

    Completion(ImageTeam team, @Nullable Request request, @Nullable Outcome outcome) {
        this.team = team;
        this.request = request;
        this.outcome = outcome;
    }

    /// Returns whether the collective is over, with whatever outcome. Never waits.
    public boolean isDone() {
        if (outcome == null && request != null) {
            try {
                if (request.test()) {
                    finish(request, Outcome.Ok.DONE);
                }
            } catch (CoterieException e) {
                finish(request, team.statements().classified(e));
            }
        }
        return outcome != null;
    }

    /// Waits for the end of the collective.
    ///
    /// @throws StatementException if the outcome is not Ok
    public void await() {
        ImageTeam.orThrow("collective", tryAwait(), team);
    }

    /// Waits for the end of the collective, and returns its outcome.
    public Outcome tryAwait() {
        if (outcome == null && request != null) {
            try {
                request.await();
                finish(request, Outcome.Ok.DONE);
            } catch (CoterieException e) {
                finish(request, team.statements().classified(e));
            }
        }
        return outcome == null ? Outcome.Ok.DONE : outcome;
    }

    private void finish(Request ended, Outcome how) {
        outcome = how;
        ended.close();
    }
}
