// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.internal.p2p.ExternalTask;
import coterie.internal.p2p.PlanTask;
import coterie.internal.schedule.Task;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// What a request does in each of its runs.
interface Execution {

    /// What is posted and waited for.
    Task task();

    /// How many numbers of the team's a run takes.
    int numbers();

    /// Bytes of scratch memory that it needs.
    long scratchBytes();

    /// Says what the next run is, right before it is posted.
    ///
    /// @param number the first of its numbers
    /// @param when before which it does not begin, or null
    /// @param source offset of the source buffer in my heap
    /// @param target offset of the target buffer in my heap
    /// @param scratch offset of the scratch buffer in my heap
    void set(long number, @Nullable BooleanSupplier when, long source, long target, long scratch);

    /// Lets go of what is a layer's; no run will come.
    default void end() {}

    /// One plan, all at once.
    ///
    /// @param only what may take over the conditions of triggered posts, since the plan has nothing else to do; or
    ///     null
    record Whole(PlanTask task, @Nullable ExternalTask only) implements Execution {
        @Override
        public int numbers() {
            return 1;
        }

        @Override
        public long scratchBytes() {
            return task.plan().scratchBytes();
        }

        @Override
        public void set(long number, @Nullable BooleanSupplier when, long source, long target, long scratch) {
            boolean isTaken = only != null && when != null && only.takes(when);
            task.queue(number, isTaken ? null : when, source, target, scratch);
        }

        @Override
        public void end() {
            task.closeExternal();
        }
    }
}
