// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ThreadLevel;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusField;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.PeRuntime;
import coterie.internal.wait.ScriptedWaitStrategy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Several threads at one engine.
@Timeout(60)
class EngineThreadsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int TASKS = 3_000;

    @AutoClose
    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 2, 4096, 2, true));

    private final PeRuntime runtime = new PeRuntime(
            new SegmentJob(job, 0, "a test"),
            job.status(0),
            new MachineWaitStrategy(6, 2),
            ScriptedWaitStrategy.conduit(),
            new Counters(),
            Long.MAX_VALUE,
            "");
    private final ProgressEngine desk = new ProgressEngine(0, runtime, ThreadLevel.MULTIPLE);
    private final AtomicLong sum = new AtomicLong();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();

    /// Adds its value in a number of steps, by one thread at a time.
    private final class Adding extends Task {
        private final int value;
        private final AtomicBoolean inside = new AtomicBoolean();
        private int left;

        Adding(int value, Persistence persistence) {
            super(desk, TestTasks.REDUCE.part("add " + value), persistence);
            this.value = value;
        }

        @Override
        protected void start() {
            left = value % 4;
            progress();
        }

        @Override
        protected boolean progress() {
            assertThat(inside.compareAndSet(false, true))
                    .as("one thread at a time")
                    .isTrue();
            if (left == 0) {
                sum.addAndGet(value);
                finish();
            }
            left--;
            inside.set(false);
            return true;
        }
    }

    @ParameterizedTest
    @CsvSource({"1,1", "1,3", "3,1", "3,3"})
    @DisplayName("UC-37 posted by some threads and advanced by others, each task runs once: the sum is preserved")
    void producersAndConsumers(int producers, int consumers) throws InterruptedException {
        AtomicInteger open = new AtomicInteger(producers * TASKS);
        for (int producer = 0; producer < producers; producer++) {
            start(() -> {
                for (int task = 1; task <= TASKS; task++) {
                    Adding adding = new Adding(task, Persistence.ONCE);
                    adding.onComplete(over -> open.decrementAndGet());
                    adding.post();
                }
            });
        }
        for (int consumer = 0; consumer < consumers; consumer++) {
            start(() -> {
                while (open.get() > 0) {
                    desk.progress();
                }
            });
        }
        join();
        assertThat(sum).hasValue((long) producers * TASKS * (TASKS + 1) / 2);
        assertThat(desk.progress()).isFalse();
    }

    @Test
    @DisplayName("threads that post and wait for persistent tasks of their own advance each other's; all runs count")
    void ownTasks() throws InterruptedException {
        for (int thread = 1; thread <= 4; thread++) {
            int value = thread;
            start(() -> {
                Adding mine = new Adding(value, Persistence.PERSISTENT);
                for (int run = 0; run < TASKS; run++) {
                    mine.post();
                    mine.await();
                }
                mine.finalise();
            });
        }
        join();
        assertThat(sum).hasValue((1 + 2 + 3 + 4) * (long) TASKS);
    }

    @Test
    @DisplayName("a post or a finalise waits for the callback that runs in another thread")
    void callbackInAnotherThread() throws InterruptedException {
        Adding task = new Adding(3, Persistence.PERSISTENT);
        CountDownLatch inCallback = new CountDownLatch(1);
        AtomicBoolean mayEnd = new AtomicBoolean();
        AtomicBoolean callbackOver = new AtomicBoolean();
        task.onComplete(over -> {
            inCallback.countDown();
            while (!mayEnd.get()) {
                Thread.onSpinWait();
            }
            callbackOver.set(true);
        });
        task.post();
        start(() -> {
            while (!task.test()) {
                Thread.onSpinWait();
            }
        });
        inCallback.await();
        assertThat(task.state()).as("published before the callback").isEqualTo(TaskState.OK);
        AtomicBoolean finalised = new AtomicBoolean();
        start(() -> {
            task.finalise();
            assertThat(callbackOver).isTrue();
            finalised.set(true);
        });
        assertThat(finalised).isFalse();
        mayEnd.set(true);
        join();
        assertThat(task.state()).isEqualTo(TaskState.FINALIZED);
    }

    @Test
    @DisplayName("a progress thread advances tasks without a waiter, and stays off the status page")
    void progressThread() throws InterruptedException {
        desk.startThread(Thread.ofPlatform().daemon()::unstarted);
        assertThatThrownBy(() -> desk.startThread(Thread::new)).hasMessageContaining("it is already running");
        for (int round = 0; round < 20; round++) {
            CountDownLatch over = new CountDownLatch(10);
            for (int task = 0; task < 10; task++) {
                Adding adding = new Adding(3, Persistence.ONCE);
                adding.onComplete(each -> over.countDown());
                adding.post();
            }
            over.await();
        }
        assertThat(sum).hasValue(600);
        assertThat(job.status(0).get(StatusField.WAIT_KIND)).isZero();
        desk.stopThread();
        desk.stopThread();
        Adding later = new Adding(3, Persistence.ONCE);
        later.post();
        assertThat(later.state()).as("no thread advances it any more").isEqualTo(TaskState.IN_PROGRESS);
        later.await();
    }

    @Test
    @DisplayName(
            "what a callback throws in the engine's thread goes to its handler; an abort ends it and is told at the "
                    + "stop")
    void progressThreadFailures() throws InterruptedException {
        CountDownLatch handled = new CountDownLatch(1);
        Thread.Builder builder = Thread.ofPlatform().daemon().uncaughtExceptionHandler((thread, e) -> {
            thrown.add(e);
            handled.countDown();
        });
        desk.startThread(body -> {
            Thread thread = builder.unstarted(body);
            threads.add(thread);
            return thread;
        });
        Adding bad = new Adding(3, Persistence.ONCE);
        bad.onComplete(over -> {
            throw new IllegalStateException("callback");
        });
        bad.post();
        handled.await();
        assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
        CountDownLatch over = new CountDownLatch(1);
        Adding good = new Adding(3, Persistence.ONCE);
        good.onComplete(task -> over.countDown());
        good.post();
        over.await();
        job.abort(0, 7);
        assertThat(threads.getLast().join(PATIENCE))
                .as("the engine's thread ends")
                .isTrue();
        assertThatThrownBy(desk::stopThread)
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("aborted with exit code 7");
        thrown.clear();
    }

    private void start(Runnable body) {
        threads.add(Thread.ofPlatform().daemon().start(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                thrown.add(e);
            }
        }));
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(PATIENCE)).as("a thread ends").isTrue();
        }
        assertThat(thrown).isEmpty();
    }
}
