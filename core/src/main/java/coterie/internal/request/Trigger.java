// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.internal.wait.PeRuntime;
import java.util.function.BooleanSupplier;

/// The condition of a request's triggered posts. The waiting room knows as long as it is polled, since only the program
/// knows when it holds.
final class Trigger implements BooleanSupplier {
    private final PeRuntime runtime;
    private BooleanSupplier condition = () -> true;
    private boolean isPolled;

    Trigger(PeRuntime runtime) {
        this.runtime = runtime;
    }

    /// Sets the condition of the post that begins.
    Trigger of(BooleanSupplier when) {
        end(); // a run that has failed polls its condition no more
        condition = when;
        isPolled = true;
        runtime.conditions(1);
        return this;
    }

    @Override
    public boolean getAsBoolean() {
        boolean holds = condition.getAsBoolean();
        if (holds) {
            end();
        }
        return holds;
    }

    /// The condition is polled no more.
    void end() {
        if (isPolled) {
            isPolled = false;
            runtime.conditions(-1);
        }
    }
}
