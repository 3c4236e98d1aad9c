// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.ThreadLevel;
import coterie.internal.schedule.TestTasks.Steps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// One thread and its tasks.
class ProgressEngineTest {
    @AutoClose
    private final TestTasks shop = new TestTasks();

    /// Ends after so many steps of its own, and writes down each.
    private static final class Counted extends Task {
        private final List<Counted> log;
        private int left;

        Counted(ProgressEngine engine, String name, int steps, List<Counted> log) {
            super(engine, TestTasks.REDUCE.part(name), Persistence.ONCE);
            this.left = steps;
            this.log = log;
        }

        @Override
        protected void start() {}

        @Override
        protected boolean progress() {
            log.add(this);
            left--;
            if (left == 0) {
                finish();
            }
            return true;
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE", "MULTIPLE"})
    @DisplayName("UC-33 three tasks posted together are waited for in any order, and all advance meanwhile")
    void anyOrder(ThreadLevel level) {
        ProgressEngine engine = new ProgressEngine(0, shop.runtime, level);
        for (int[] order : new int[][] {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}) {
            List<Counted> log = new ArrayList<>();
            List<Counted> tasks = new ArrayList<>();
            for (int task = 0; task < 3; task++) {
                tasks.add(new Counted(engine, "task " + task, 2 + 3 * task, log));
                tasks.get(task).post();
            }
            for (int task : order) {
                tasks.get(task).await();
            }
            assertThat(tasks).allSatisfy(task -> assertThat(task.state()).isEqualTo(TaskState.OK));
            assertThat(log).hasSize(2 + 5 + 8);
            assertThat(log.subList(0, 6)).as("in turn").isEqualTo(twice(tasks));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE", "MULTIPLE"})
    @DisplayName("a sweep advances each of many tasks once, whatever has come and gone")
    void fairSweep(ThreadLevel level) {
        ProgressEngine engine = new ProgressEngine(0, shop.runtime, level);
        List<Counted> log = new ArrayList<>();
        for (int round = 1; round <= 3; round++) {
            List<Counted> tasks = new ArrayList<>();
            for (int task = 0; task < 200; task++) {
                tasks.add(new Counted(engine, "task " + task, 1 + task % 7, log));
                tasks.getLast().post();
            }
            for (int sweep = 0; sweep < 7; sweep++) {
                log.clear();
                int fewest = sweep;
                assertThat(engine.progress()).isTrue();
                assertThat(log)
                        .containsExactlyInAnyOrderElementsOf(tasks.stream()
                                .filter(task -> tasks.indexOf(task) % 7 >= fewest)
                                .toList());
            }
            assertThat(engine.progress()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"SINGLE", "MULTIPLE"})
    @DisplayName("callbacks post tasks and sweep within a sweep; none is lost or advanced within itself")
    void nestedSweeps(ThreadLevel level) {
        ProgressEngine engine = new ProgressEngine(0, shop.runtime, level);
        List<Counted> log = new ArrayList<>();
        List<Counted> all = new ArrayList<>();
        for (int task = 0; task < 40; task++) {
            Counted next = new Counted(engine, "task " + task, 1 + task % 3, log);
            next.onComplete(over -> {
                if (all.size() < 200) {
                    Counted another = new Counted(engine, "another", 2, log);
                    all.add(another);
                    another.post();
                    another.await();
                }
                engine.progress();
            });
            all.add(next);
            next.post();
        }
        for (int sweep = 0; sweep < 10; sweep++) {
            engine.progress();
        }
        assertThat(all).hasSize(80).allSatisfy(task -> assertThat(task.state()).isEqualTo(TaskState.OK));
        assertThat(engine.progress()).isFalse();
    }

    @Test
    @DisplayName("a progress thread needs MULTIPLE")
    void threadNeedsMultiple() {
        assertThatThrownBy(() -> shop.engine.startThread(Thread::new))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("progress thread on PE 0: the thread level is SINGLE; a progress thread needs MULTIPLE");
        shop.engine.stopThread();
    }

    @Test
    @DisplayName("a task that fails while a thread waits for another task throws from its own wait alone")
    void failsAlone() {
        Steps bad = shop.steps("bad", 3).failingAt(2);
        Steps good = shop.steps("good", 9);
        bad.post();
        good.post();
        good.await();
        assertThatThrownBy(bad::await).hasMessage("bad failed at 2");
    }

    private static List<Counted> twice(List<Counted> tasks) {
        List<Counted> twice = new ArrayList<>(tasks);
        twice.addAll(tasks);
        return twice;
    }
}
