// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.ThreadLevel;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusLabel;
import coterie.internal.wait.Counters;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.ScriptedWaitStrategy;
import coterie.spi.PeState;
import coterie.spi.WaitStrategy;
import java.util.ArrayList;
import java.util.List;

/// An engine of PE 0 among three, on a clock that is moved by hand, and what its tasks have done.
final class TestTasks implements AutoCloseable {
    static final TaskDescription REDUCE = new TaskDescription("all", OperationKind.ALL_REDUCE, new StatusLabel("row"));

    final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 3, 4096, 2, true));
    final HandClock clock = new HandClock();
    final PeRuntime runtime;
    final ProgressEngine engine;
    final List<String> log = new ArrayList<>();

    /// Each idle takes a millisecond, and too many of them are an error: nothing here waits for anything outside.
    static final class HandClock implements WaitStrategy {
        private static final int PATIENCE = 10_000;

        long now;
        private int idles;

        @Override
        public int spins() {
            return 0;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void idle(long waitedNanos, long leftNanos) {
            now += 1_000_000;
            if (++idles > PATIENCE) {
                throw new AssertionError("waits for ever");
            }
        }
    }

    TestTasks() {
        this("");
    }

    TestTasks(String faults) {
        runtime = new PeRuntime(
                new SegmentJob(job, 0, "a test"),
                job.status(0),
                clock,
                ScriptedWaitStrategy.conduit(),
                new Counters(),
                Long.MAX_VALUE,
                faults);
        engine = new ProgressEngine(0, runtime, ThreadLevel.SINGLE);
        for (int pe = 0; pe < job.size(); pe++) {
            job.status(pe).state(PeState.RUNNING);
        }
    }

    Steps steps(String name, int steps) {
        return new Steps(this, name, steps, Persistence.ONCE);
    }

    Steps persistent(String name, int steps) {
        return new Steps(this, name, steps, Persistence.PERSISTENT);
    }

    Schedule schedule(String name, Task... parts) {
        return new Schedule(engine, REDUCE.part(name), Persistence.PERSISTENT, List.of(parts));
    }

    /// Sweeps until a task is complete.
    void run(Task task) {
        task.post();
        for (int sweep = 0; !task.hasTerminated(); sweep++) {
            if (sweep > 100_000) {
                throw new AssertionError("not over: " + task);
            }
            engine.progress();
        }
    }

    @Override
    public void close() {
        job.close();
    }

    /// Takes so many steps, and may fail in one of them; 0 steps end at the start.
    static final class Steps extends Task {
        final TestTasks shop;
        final int steps;
        int failAt = -1;
        int awaited = -1;
        int starts;
        int stops;
        int taken;
        boolean stuck;
        boolean released;

        Steps(TestTasks shop, String name, int steps, Persistence persistence) {
            super(shop.engine, REDUCE.part(name), persistence);
            this.shop = shop;
            this.steps = steps;
        }

        /// Step 0 is the start.
        Steps failingAt(int step) {
            failAt = step;
            return this;
        }

        Steps stuck() {
            stuck = true;
            return this;
        }

        @Override
        protected void start() {
            starts++;
            taken = 0;
            shop.log.add("start " + name());
            reach();
        }

        @Override
        protected boolean progress() {
            if (stuck) {
                return false;
            }
            taken++;
            reach();
            return true;
        }

        @Override
        protected void stop(RuntimeException why) {
            stops++;
        }

        @Override
        protected void release() {
            released = true;
        }

        @Override
        public int awaitedPe() {
            return awaited;
        }

        private void reach() {
            step(taken);
            if (taken == failAt) {
                throw new ArithmeticException(name() + " failed at " + taken);
            }
            if (taken == steps) {
                shop.log.add("end " + name());
                finish();
            }
        }
    }
}
