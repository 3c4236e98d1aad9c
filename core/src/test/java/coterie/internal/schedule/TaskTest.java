// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static coterie.internal.schedule.TaskEvent.COMPLETED;
import static coterie.internal.schedule.TaskEvent.FAILED;
import static coterie.internal.schedule.TaskEvent.STARTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.WaitTimeoutException;
import coterie.internal.memory.StatusField;
import coterie.internal.schedule.TestTasks.Steps;
import coterie.internal.wait.OperationKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The life of a task by itself.
class TaskTest {
    @AutoClose
    private final TestTasks shop = new TestTasks();

    private final List<String> log = shop.log;

    @Test
    @DisplayName("a task goes from INITIALIZED through IN_PROGRESS to OK, and is finalised")
    void life() {
        Steps task = shop.steps("a", 2);
        assertThat(task.state()).isEqualTo(TaskState.INITIALIZED);
        task.post();
        assertThat(task.state()).isEqualTo(TaskState.IN_PROGRESS);
        assertThat(task.test()).isFalse();
        assertThat(task.test()).isTrue();
        assertThat(task.state()).isEqualTo(TaskState.OK);
        task.await();
        assertThat(shop.engine.progress()).as("nothing is left to do").isFalse();
        assertThat(task.released).isFalse();
        task.finalise();
        assertThat(task.state()).isEqualTo(TaskState.FINALIZED);
        assertThat(task.released).isTrue();
    }

    @Test
    @DisplayName("UC-39 a task with nothing to do is complete when its post returns")
    void immediate() {
        Steps task = shop.persistent("nothing", 0);
        for (int run = 1; run <= 3; run++) {
            task.post();
            assertThat(task.state()).isEqualTo(TaskState.OK);
            assertThat(task.starts).isEqualTo(run);
        }
        assertThat(shop.engine.progress()).isFalse();
    }

    @Test
    @DisplayName("UC-20 each listener is called once a run, in order of registration, sixteen of each event")
    void listeners() {
        Steps task = shop.persistent("a", 1);
        List<String> told = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (TaskEvent event : List.of(STARTED, COMPLETED, FAILED)) {
            for (int listener = 0; listener < 16; listener++) {
                String line = event + " " + listener;
                task.on(event, (of, what) -> {
                    assertThat(of).isSameAs(task);
                    assertThat(what).isEqualTo(event);
                    told.add(line);
                });
                if (event != FAILED) {
                    expected.add(line);
                }
            }
        }
        shop.run(task);
        assertThat(told).isEqualTo(expected);
        shop.run(task);
        assertThat(told).hasSize(2 * expected.size());
        Steps failing = shop.steps("b", 5).failingAt(1);
        told.clear();
        for (TaskEvent event : TaskEvent.values()) {
            failing.on(event, (of, what) -> told.add(what.name()));
        }
        shop.run(failing);
        assertThat(told).containsExactly("STARTED", "FAILED");
    }

    @Test
    @DisplayName("at the end come the listeners, then the state, then the callback, then the schedule")
    void orderOfEffects() {
        for (int failAt : new int[] {-1, 0, 1}) {
            log.clear();
            Steps task = shop.steps("a", 1).failingAt(failAt);
            task.on(COMPLETED, (of, event) -> log.add("listener " + of.state()));
            task.on(FAILED, (of, event) -> log.add("listener " + of.state()));
            Schedule schedule = shop.schedule("s", task);
            task.onComplete(of -> log.add("callback " + of.state() + ", schedule " + schedule.state()));
            schedule.onComplete(of -> log.add("schedule " + of.state()));
            shop.run(schedule);
            String end = failAt < 0 ? "OK" : "FAILED";
            assertThat(log)
                    .endsWith("listener IN_PROGRESS", "callback " + end + ", schedule IN_PROGRESS", "schedule " + end);
        }
    }

    @Test
    @DisplayName("a task that fails at its start has not started; its failure is thrown by await")
    void failures() {
        Steps task = shop.steps("a", 3).failingAt(0);
        task.on(STARTED, (of, event) -> log.add("STARTED"));
        task.post();
        assertThat(log).containsExactly("start a");
        assertThat(task.stops).isOne();
        assertThatThrownBy(task::await).isInstanceOf(ArithmeticException.class).hasMessage("a failed at 0");
        assertThat(task.failure()).hasMessage("a failed at 0");
        assertThatThrownBy(task::post)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("post of allReduce on PE 0, task \"a\" of team \"row\", which is FAILED: a failed task"
                        + " can't be posted again; create a new one: java.lang.ArithmeticException: a failed at 0");
        task.finalise();
    }

    @Test
    @DisplayName("an exception of a callback ends no wait but its own task's; else it goes to the thread's handler")
    void callbacksEndNoWait() {
        Steps other = shop.steps("other", 1);
        other.onComplete(of -> {
            throw new AssertionError("other's callback");
        });
        Steps mine = shop.steps("mine", 3);
        mine.onComplete(of -> {
            throw new IllegalStateException("my callback");
        });
        List<Throwable> handled = new ArrayList<>();
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = current.getUncaughtExceptionHandler();
        current.setUncaughtExceptionHandler((thread, thrown) -> handled.add(thrown));
        try {
            other.post();
            mine.post();
            assertThatThrownBy(mine::await).hasMessage("my callback");
            mine.await();
        } finally {
            current.setUncaughtExceptionHandler(before);
        }
        assertThat(mine.state()).isEqualTo(TaskState.OK);
        assertThat(other.state()).isEqualTo(TaskState.OK);
        assertThat(handled).extracting(Throwable::getMessage).containsExactly("other's callback");
    }

    @Test
    @DisplayName("what a callback throws at once leaves no post: the next test or await, or else the thread's handler")
    void callbacksLeaveNoPost() {
        List<Throwable> handled = new ArrayList<>();
        Thread current = Thread.currentThread();
        Thread.UncaughtExceptionHandler before = current.getUncaughtExceptionHandler();
        current.setUncaughtExceptionHandler((thread, thrown) -> handled.add(thrown));
        try {
            for (Consumer<Steps> call : List.<Consumer<Steps>>of(Steps::test, Steps::await)) {
                Steps task = atOnce();
                task.post();
                assertThatThrownBy(() -> call.accept(task)).isInstanceOf(AssertionError.class);
                task.await();
                task.finalise();
            }
            assertThat(handled).isEmpty();
            Steps neglected = atOnce();
            neglected.post();
            assertThat(handled).isEmpty();
            neglected.finalise();
        } finally {
            current.setUncaughtExceptionHandler(before);
        }
        assertThat(handled).singleElement().isInstanceOf(AssertionError.class);
    }

    /// A task that its post ends, with a callback that throws.
    private Steps atOnce() {
        Steps task = shop.steps("at once", 0);
        task.onComplete(of -> {
            throw new AssertionError("by the callback");
        });
        return task;
    }

    @Test
    @DisplayName("a listener that throws fails the task; a callback that throws reaches the tester")
    void throwingListeners() {
        Steps task = shop.steps("a", 1);
        task.on(COMPLETED, (of, event) -> {
            throw new IllegalStateException("listener");
        });
        task.on(FAILED, (of, event) -> {
            throw new IllegalStateException("another");
        });
        task.onComplete(of -> {
            throw new IllegalStateException("callback");
        });
        task.post();
        assertThatThrownBy(task::test).hasMessage("callback");
        assertThat(task.failure()).hasMessage("listener").hasSuppressedException(new IllegalStateException("another"));
        assertThat(shop.engine.progress()).as("the engine has dropped it").isFalse();
        Steps broken = shop.steps("b", 1);
        broken.on(STARTED, (of, event) -> {
            throw new AssertionError("an error");
        });
        broken.post();
        assertThat(broken.failure()).isInstanceOf(CoterieException.class).hasRootCauseMessage("an error");
    }

    @Test
    @DisplayName("UC-38 misuse is an exception that names operation, task and state")
    void misuse() {
        Steps task = shop.steps("a", 1);
        refused(task::await, "await", "INITIALIZED", "it has not been posted");
        refused(task::test, "test", "INITIALIZED", "it has not been posted");
        task.post();
        String busy = "its run is not complete; wait for it first";
        refused(task::post, "post", "IN_PROGRESS", busy);
        refused(task::finalise, "finalise", "IN_PROGRESS", busy);
        refused(() -> task.timeout(5), "timeout", "IN_PROGRESS", busy);
        refused(() -> task.on(STARTED, (of, event) -> {}), "on", "IN_PROGRESS", busy);
        refused(() -> task.onComplete(of -> {}), "onComplete", "IN_PROGRESS", busy);
        task.await();
        refused(task::post, "post", "OK", "it is not persistent");
        task.finalise();
        String gone = "it has been finalised";
        refused(task::finalise, "finalise", "FINALIZED", gone);
        refused(task::post, "post", "FINALIZED", gone);
        refused(task::await, "await", "FINALIZED", gone);
        refused(task::test, "test", "FINALIZED", gone);
        Steps part = shop.steps("a", 1);
        Schedule schedule = shop.schedule("s", part);
        refused(part::post, "post", "INITIALIZED", "it is a part of task \"s\", which posts and finalises it");
        refused(part::finalise, "finalise", "INITIALIZED", "it is a part of task \"s\", which posts and finalises it");
        schedule.finalise();
        assertThat(part.state()).isEqualTo(TaskState.FINALIZED);
        assertThat(part.released).isTrue();
        assertThatThrownBy(() -> shop.steps("b", 1).timeout(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("allReduce on PE 0, task \"b\" of team \"row\": timeout of 0 ns is not positive");
    }

    @Test
    @DisplayName("a callback may post its task again, finalise it, and wait for others, but not for its own task")
    void callbacks() {
        Steps other = shop.steps("other", 3);
        Steps task = shop.persistent("a", 1);
        other.post();
        task.onComplete(of -> {
            if (task.starts < 4) {
                task.post();
                assertThatThrownBy(task::await)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("await of")
                        .hasMessageContaining("the waiting thread is running this task");
            } else {
                other.await();
                task.finalise();
            }
        });
        task.post();
        for (int sweep = 0; sweep < 4; sweep++) {
            assertThat(task.starts).isEqualTo(sweep + 1);
            shop.engine.progress();
        }
        assertThat(task.state()).isEqualTo(TaskState.FINALIZED);
        assertThat(other.state()).isEqualTo(TaskState.OK);
        assertThat(shop.engine.progress()).isFalse();
    }

    @Test
    @DisplayName("UC-34 a task that is late fails with its name; late to start but in time is well; counted from post")
    void deadlines() {
        Steps late = shop.persistent("late", 1).stuck();
        late.timeout(5_000_000);
        shop.clock.now = 77;
        late.post();
        shop.clock.now += 4_999_999;
        assertThat(late.test()).isFalse();
        late.stuck = false;
        shop.clock.now += 1;
        assertThat(late.test()).isTrue();
        late.await();
        late.stuck = true;
        late.post();
        assertThatThrownBy(late::await)
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessage("allReduce on PE 0, task \"late\" of team \"row\": not within 5 ms");
        assertThat(late.stops).isOne();
        assertThat(late.state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    @DisplayName("the deadline of a wait leaves the task as it is")
    void deadlineOfTheWait() {
        Steps task = shop.steps("a", 1).stuck();
        task.post();
        assertThatThrownBy(() -> task.await(3_000_000))
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessage("allReduce on PE 0, task \"a\" of team \"row\": not within 3 ms");
        assertThat(task.state()).isEqualTo(TaskState.IN_PROGRESS);
        task.stuck = false;
        task.await(3_000_000);
    }

    @Test
    @DisplayName("a task that waits for an ended PE fails, tested or waited for, unless the PE has done its part")
    void lostPe() {
        Steps task = shop.steps("a", 1).stuck();
        task.awaited = 2;
        task.post();
        assertThat(task.test()).isFalse();
        shop.job.end(1, 3);
        assertThat(task.test()).as("another one").isFalse();
        shop.job.end(2, 137);
        assertThat(task.test()).isTrue();
        assertThatThrownBy(task::await)
                .isInstanceOfSatisfying(
                        PeFailedException.class, e -> assertThat(e.failedPes()).containsExactly(2))
                .hasMessage("allReduce on PE 0, task \"a\" of team \"row\": PE 2 failed (exit code 137)");
        Steps done = shop.steps("b", 1);
        done.awaited = 2;
        shop.run(done);
        assertThat(done.failure()).isNull();
    }

    @Test
    @DisplayName("the status page has what the task waits for, and the hook of its steps")
    void tells() {
        Steps task = shop.steps("a", 2).stuck();
        task.awaited = 1;
        Task watch = new Task(shop.engine, TestTasks.REDUCE.part("watch"), Persistence.ONCE) {
            @Override
            protected void start() {}

            @Override
            protected boolean progress() {
                if (shop.job.status(0).get(StatusField.WAIT_KIND) != 0) {
                    assertThat(OperationKind.of(shop.job.status(0).get(StatusField.WAIT_KIND)))
                            .isEqualTo(OperationKind.ALL_REDUCE);
                    assertThat(shop.job.status(0).get(StatusField.WAIT_PE)).isEqualTo(1);
                    task.stuck = false;
                    finish();
                }
                return false;
            }
        };
        watch.post();
        task.post();
        task.await();
        assertThat(watch.failure()).isNull();
        assertThat(watch.state()).isEqualTo(TaskState.OK);
        try (TestTasks faulty = new TestTasks("all_reduce:2@0=throw,all_reduce:1@1=throw")) {
            Steps struck = faulty.steps("struck", 4);
            faulty.run(struck);
            assertThat(struck.failure()).hasMessage("planted fault at step 2 of all_reduce");
        }
    }

    private static void refused(Runnable call, String operation, String state, String why) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(operation + " of allReduce on PE 0, task \"a\" of team \"row\", which is " + state + ": "
                        + why);
    }
}
