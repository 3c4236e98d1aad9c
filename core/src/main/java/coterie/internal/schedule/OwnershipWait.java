// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;

/// That another thread, which is about to, leaves a task alone, or turns out to have set it going.
record OwnershipWait(Task task) implements Awaitable {

    @Override
    public boolean poll() {
        return task.ownership.isFree() || task.state().isUnderWay();
    }

    @Override
    public boolean isBrief() {
        return true;
    }

    @Override
    public OperationKind kind() {
        return task.kind();
    }

    @Override
    public String text() {
        return task.text() + " to be released by another thread";
    }
}
