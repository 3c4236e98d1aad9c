// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;

/// A wait until the thread that owns a task, and is about to release it, has released it or has begun its run.
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
