// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.p2p.ExternalTask;
import coterie.internal.plan.Plan;
import java.util.List;

/// What a layer does for a member: a plan, and the tasks of layers that its steps begin.
///
/// @param isTask whether a layer serves the whole collective by a task of its own: the same on all members
/// @param scratch where in the heap the plan's scratch memory is, since tasks use it; or [#NONE]
public record PreparedWork(Plan plan, List<? extends ExternalTask> tasks, boolean isTask, long scratch) {
    /// There is no scratch memory, or it has not been acquired yet.
    public static final long NONE = -1;

    /// Makes work of a plan alone.
    public static PreparedWork of(Plan plan) {
        return new PreparedWork(plan, List.of(), false, NONE);
    }

    /// Begins a run of a task that serves the whole collective, without a run of the plan; returns whether the run is
    /// complete at once. If not, a run of the plan with the same number goes on with it.
    public boolean completesAtOnce(long number) {
        return isTask && tasks.getFirst() instanceof LayerTaskRun task && task.completesAtOnce(number);
    }

    /// Closes the tasks.
    public void close() {
        tasks.forEach(ExternalTask::close);
    }
}
