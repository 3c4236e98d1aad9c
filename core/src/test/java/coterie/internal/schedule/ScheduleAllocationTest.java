// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static coterie.testing.AllocationAssertions.assertClean;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ThreadLevel;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.ScriptedWaitStrategy;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What persistent tasks allocate once they are warm.
@DisplayName("UC-40 persistent tasks allocate nothing")
class ScheduleAllocationTest {
    private static final int RUNS = 2_000;

    @AutoClose
    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 2, 4096, 2, true));

    private final PeRuntime runtime = new PeRuntime(
            new SegmentJob(job, 0, "a test"),
            job.status(0),
            new MachineWaitStrategy(2, 1),
            ScriptedWaitStrategy.conduit(),
            new Counters(),
            Long.MAX_VALUE,
            "");

    private static final class Counting extends Task {
        private final int steps;
        private int left;

        Counting(ProgressEngine engine, int steps) {
            super(engine, TestTasks.REDUCE, Persistence.PERSISTENT);
            this.steps = steps;
        }

        @Override
        protected void start() {
            left = steps;
            if (left == 0) {
                finish();
            }
        }

        @Override
        protected boolean progress() {
            step(left);
            left--;
            if (left == 0) {
                finish();
            }
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE", "MULTIPLE"})
    @DisplayName("alone, with listeners, callback and deadline, in a schedule, and in a pipeline")
    void clean(ThreadLevel level) {
        ProgressEngine engine = new ProgressEngine(0, runtime, level);
        long[] told = new long[1];
        Counting alone = new Counting(engine, 3);
        alone.timeout(Long.MAX_VALUE - 1);
        for (TaskEvent event : TaskEvent.values()) {
            alone.on(event, (task, what) -> told[0]++);
        }
        alone.onComplete(task -> told[0]++);
        Task schedule = schedule(engine);
        Task pipeline = new Pipeline(
                engine,
                TestTasks.REDUCE,
                Persistence.PERSISTENT,
                11,
                2,
                FragmentOrder.ORDERED,
                lane -> schedule(engine),
                (fragment, number) -> told[0] += number);
        assertClean(RUNS + " runs of a task", () -> run(alone));
        assertClean(RUNS + " runs of a schedule", () -> run(schedule));
        assertClean(RUNS + " runs of a pipeline", () -> run(pipeline));
        assertThat(told[0]).isPositive();
    }

    private static Schedule schedule(ProgressEngine engine) {
        Counting first = new Counting(engine, 2);
        Counting second = new Counting(engine, 0);
        Counting third = new Counting(engine, 1);
        return new Schedule(engine, TestTasks.REDUCE, Persistence.PERSISTENT, List.of(first, second, third));
    }

    /// Waits for some and tests the others.
    private static void run(Task task) {
        for (int run = 0; run < RUNS; run++) {
            task.post();
            if (run % 2 == 0) {
                task.await();
            } else {
                while (!task.test()) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
