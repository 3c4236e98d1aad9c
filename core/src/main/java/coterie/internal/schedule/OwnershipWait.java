// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.WaitKind;
import coterie.internal.wait.Work;

/// That another thread, which is about to, leaves a task alone, or turns out to have set it going.
record OwnershipWait(Task task) implements Work {

    @Override
    public boolean poll() {
        return task.ownership.isFree() || task.state().isUnderWay();
    }

    @Override
    public WaitKind kind() {
        return task.kind();
    }

    @Override
    public String text() {
        return task.text() + " to be left by another thread";
    }
}
