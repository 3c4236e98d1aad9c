// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.SymmetricLock;
import java.util.OptionalInt;

/// A critical construct: one image of the program at a time runs its body. [TeamScope#allocateCritical] makes it
/// in the initial team; one object is one construct of the source. An image can't stop inside: [Images#stop]
/// throws there.
/// @counterpart `critical`
public final class Critical {
    private final CoarrayBlock block;
    private final SymmetricLock lock;

    Critical(CoarrayBlock block) {
        this.block = block;
        this.lock = block.memory().lock(0);
    }

    /// Runs a body when no other image is in this construct.
    /// @counterpart `critical`, `end critical`, `prif_critical`, `prif_end_critical`
    /// @throws ImageFailedException if the image that was inside before has failed there: the body has not run
    /// @throws X from the body; the caller has left the construct
    public <X extends Throwable> void run(TeamBody<X> body) throws X {
        check(body);
        OptionalInt failed = lock.lockOrRecover();
        if (failed.isPresent()) {
            lock.unlock();
            throw StatementException.of(
                    "critical in " + block.team().path(), new Outcome.Failed(ImageSet.of(failed.getAsInt() + 1)));
        }
        inside(body);
    }

    /// Runs a body when no other image is in this construct, and returns Failed if the image that was inside
    /// before has failed there: the body runs all the same. One image gets that for each failure.
    /// @counterpart `critical(stat=)`
    public <X extends Throwable> Outcome tryRun(TeamBody<X> body) throws X {
        check(body);
        OptionalInt failed = lock.lockOrRecover();
        inside(body);
        return failed.isPresent() ? new Outcome.Failed(ImageSet.of(failed.getAsInt() + 1)) : Outcome.Ok.DONE;
    }

    /// Throws before the caller waits for the construct.
    private void check(TeamBody<?> body) {
        block.team().runtime().checkThread("critical");
        StatementChecks.notNull(body, "critical", "body");
        TeamScope scope = Images.scope("critical");
        if (block.scope == null || scope.runtime() != block.team().runtime()) {
            throw block.over("critical");
        }
    }

    private <X extends Throwable> void inside(TeamBody<X> body) throws X {
        ImageRuntime runtime = block.team().runtime();
        runtime.enterCritical();
        try {
            body.run(Images.scope("critical"));
        } finally {
            runtime.leaveCritical();
            if (!runtime.hasEnded()) {
                lock.unlock();
            }
        }
    }

    @Override
    public String toString() {
        return "critical construct, " + block;
    }
}
