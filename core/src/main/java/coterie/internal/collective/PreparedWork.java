// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.p2p.ExternalTask;
import coterie.internal.plan.Plan;
import java.util.List;

/// What a layer does for a member: a plan, and the tasks of layers that its steps begin.
///
/// @param isTask whether a layer serves the whole collective by a task of its own: the same on all members
/// @param scratch where in the heap the plan's scratch memory is, since tasks use it; or [#NONE]
public record PreparedWork(Plan plan, List<? extends ExternalTask> tasks, boolean isTask, long scratch) {
    /// There is no scratch memory, or nobody has acquired it yet.
    public static final long NONE = -1;

    /// Makes work of a plan alone.
    public static PreparedWork of(Plan plan) {
        return new PreparedWork(plan, List.of(), false, NONE);
    }

    /// Closes the tasks.
    public void close() {
        tasks.forEach(ExternalTask::close);
    }
}
