// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CoterieException;
import coterie.collective.Request;
import org.jspecify.annotations.Nullable;

/// A collective under way. It makes progress while the image waits for anything.
///
/// One that the program has not waited for is over when its team's scope ends, when the team is closed, or when its
/// coarray is freed: these statements complete it on all images, or give it their own outcome if that is not Ok.
/// @counterpart the completion objects of Fortran 202Y
public final class Completion {
    private final StatementKind kind;
    private final ImageTeam team;
    private final @Nullable Request request;
    private @Nullable Outcome outcome;

    /// @param outcome why it was not begun, or null
    Completion(StatementKind kind, ImageTeam team, @Nullable Request request, @Nullable Outcome outcome) {
        this.kind = kind;
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
        StatementException.unlessOk(kind.operation(), tryAwait(), team);
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

    /// Ends it with an outcome unless it is over: no image completes it any more.
    void end(Outcome why) {
        if (outcome == null && request != null) {
            try {
                if (request.test()) {
                    finish(request, Outcome.Ok.DONE);
                }
            } catch (CoterieException e) {
                finish(request, why);
            }
            outcome = outcome == null ? why : outcome; // the run ends with the team
        }
    }

    private void finish(Request ended, Outcome how) {
        outcome = how;
        team.statements().pending().remove(this);
        ended.close();
    }

    @Override
    public String toString() {
        return kind.operation() + " in " + team + (outcome == null ? ", under way" : ": " + outcome);
    }
}
