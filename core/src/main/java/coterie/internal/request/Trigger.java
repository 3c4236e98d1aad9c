// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.internal.wait.WaitingRoom;
import java.util.function.BooleanSupplier;

/// The condition of a request's triggered posts. The waiting room knows as long as it is polled, since only the program
/// knows when it holds.
final class Trigger implements BooleanSupplier {
    private final WaitingRoom room;
    private BooleanSupplier condition = () -> true;
    private boolean isPolled;

    Trigger(WaitingRoom room) {
        this.room = room;
    }

    /// Sets the condition of the post that begins.
    Trigger of(BooleanSupplier when) {
        end(); // a run that has failed polls its condition no more
        condition = when;
        isPolled = true;
        room.conditions(1);
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
            room.conditions(-1);
        }
    }
}
