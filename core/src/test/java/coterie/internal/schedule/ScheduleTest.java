// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static coterie.internal.schedule.TaskEvent.FAILED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ThreadLevel;
import coterie.WaitTimeoutException;
import coterie.internal.schedule.TestTasks.Steps;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Tasks that start one after the other.
class ScheduleTest {
    @AutoClose
    private final TestTasks shop = new TestTasks();

    @Test
    @DisplayName("a part starts after the one before it has completed, and again in each run")
    void order() {
        Schedule schedule = shop.schedule("s", shop.steps("a", 2), shop.steps("b", 1), shop.steps("c", 3));
        for (int run = 1; run <= 3; run++) {
            shop.log.clear();
            shop.run(schedule);
            assertThat(shop.log).containsExactly("start a", "end a", "start b", "end b", "start c", "end c");
            assertThat(schedule.parts())
                    .allSatisfy(part -> assertThat(part.state()).isEqualTo(TaskState.OK));
        }
        schedule.finalise();
        assertThat(schedule.parts()).allSatisfy(part -> assertThat(part.state()).isEqualTo(TaskState.FINALIZED));
    }

    @Test
    @DisplayName("a part that has not started is POSTED")
    void posted() {
        Steps a = shop.steps("a", 1).stuck();
        Steps b = shop.steps("b", 0);
        Schedule schedule = shop.schedule("s", a, b);
        schedule.post();
        assertThat(b.state()).isEqualTo(TaskState.POSTED);
        a.stuck = false;
        schedule.await();
        assertThat(b.state()).isEqualTo(TaskState.OK);
    }

    @Test
    @DisplayName("a schedule of nothing, and one of thousands of parts that end at their start, are complete at once")
    void longChain() {
        Schedule nothing = shop.schedule("nothing");
        nothing.post();
        assertThat(nothing.state()).isEqualTo(TaskState.OK);
        Steps[] parts = IntStream.range(0, 10_000)
                .mapToObj(part -> shop.steps(String.valueOf(part), 0))
                .toArray(Steps[]::new);
        Schedule chain = shop.schedule("chain", parts);
        chain.post();
        assertThat(chain.state()).isEqualTo(TaskState.OK);
        assertThat(parts[9_999].starts).isOne();
    }

    @Test
    @DisplayName("the failure of a part fails the schedule, and what is in progress beside it; the rest is not started")
    void failure() {
        Steps bad = shop.steps("bad", 3).failingAt(2);
        Steps busy = shop.steps("busy", 9);
        Steps never = shop.steps("never", 1);
        Steps done = shop.steps("done", 0);
        Steps deep = shop.steps("deep", 9);
        Schedule inner = shop.schedule("inner", deep);
        List<Schedule> lanes = List.of(
                shop.schedule("lane 0", busy, shop.steps("behind", 1)),
                shop.schedule("lane 1", inner, shop.steps("behind", 1)),
                shop.schedule("s", bad, never),
                shop.schedule("lane 3", done, shop.steps("last", 9)));
        Pipeline whole = new Pipeline(
                shop.engine,
                TestTasks.REDUCE.part("whole"),
                Persistence.PERSISTENT,
                4,
                4,
                FragmentOrder.PARALLEL,
                lanes::get,
                (schedule, fragment) -> {});
        Schedule schedule = lanes.get(2);
        whole.on(FAILED, (task, event) -> shop.log.add("told of whole"));
        schedule.on(FAILED, (task, event) -> shop.log.add("told of s"));
        busy.on(FAILED, (task, event) -> shop.log.add("told of busy"));
        shop.run(whole);
        assertThatThrownBy(whole::await).isSameAs(bad.failure()).hasMessage("bad failed at 2");
        assertThat(schedule.failure()).isSameAs(bad.failure());
        assertThat(busy.failure())
                .isInstanceOf(CoterieException.class)
                .hasMessage("allReduce on PE 0, task \"busy\" of team \"row\": stopped, because task \"lane 0\" failed")
                .hasRootCause(bad.failure());
        assertThat(deep.state()).isEqualTo(TaskState.FAILED);
        assertThat(inner.state()).isEqualTo(TaskState.FAILED);
        assertThat(busy.stops).isOne();
        assertThat(deep.stops).isOne();
        assertThat(never.starts).isZero();
        assertThat(never.state()).isEqualTo(TaskState.INITIALIZED);
        assertThat(done.state()).isEqualTo(TaskState.OK);
        assertThat(shop.log).endsWith("told of s", "told of busy", "told of whole");
        assertThat(shop.engine.progress()).isFalse();
        whole.finalise();
    }

    @Test
    @DisplayName("the failure at a start stops those that would have started next, and the schedule at its post")
    void failureAtStart() {
        Steps bad = shop.steps("bad", 3).failingAt(0);
        Steps next = shop.steps("next", 1);
        Schedule schedule = shop.schedule("s", bad, next);
        schedule.post();
        assertThat(schedule.failure()).hasMessage("bad failed at 0");
        assertThat(next.starts).isZero();
    }

    @Test
    @DisplayName("a late part, and a late schedule, fail the schedule; a part's time counts from its start")
    void deadlines() {
        Steps first = shop.steps("first", 1).stuck();
        Steps late = shop.steps("late", 1).stuck();
        late.timeout(2_000_000);
        Schedule schedule = shop.schedule("s", first, late);
        schedule.post();
        shop.clock.now += 10_000_000;
        assertThat(schedule.test()).isFalse();
        first.stuck = false;
        assertThat(schedule.test()).isFalse();
        assertThat(late.state()).isEqualTo(TaskState.IN_PROGRESS);
        shop.clock.now += 2_000_000;
        assertThat(schedule.test()).isTrue();
        assertThat(schedule.failure())
                .isInstanceOf(WaitTimeoutException.class)
                .hasMessage("allReduce on PE 0, task \"late\" of team \"row\": not within 2 ms");
        Steps slow = shop.steps("slow", 1).stuck();
        Schedule whole = shop.schedule("whole", slow);
        whole.timeout(3_000_000);
        whole.post();
        assertThatThrownBy(whole::await)
                .hasMessage("allReduce on PE 0, task \"whole\" of team \"row\", at \"slow\": not within 3 ms");
        assertThat(slow.state()).isEqualTo(TaskState.FAILED);
    }

    @Test
    @DisplayName("a callback of a part that throws fails the schedule, with the part's own failure beside it")
    void throwingCallback() {
        for (int failAt : new int[] {-1, 1}) {
            Steps part = shop.steps("part", 1).failingAt(failAt);
            part.onComplete(task -> {
                throw new IllegalStateException("callback");
            });
            Schedule schedule = shop.schedule("s", part);
            shop.run(schedule);
            assertThat(schedule.failure()).hasMessage("callback");
            assertThat(schedule.failure().getSuppressed()).hasSize(failAt < 0 ? 0 : 1);
        }
    }

    @Test
    @DisplayName("what can't be a part is refused")
    void refusals() {
        Steps a = shop.steps("a", 1);
        Steps b = shop.steps("b", 1);
        assertThatThrownBy(() -> shop.schedule("s", a, a))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is a part of task \"s\"");
        assertThatThrownBy(() -> shop.schedule("t", a))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is a part of task \"s\"");
        b.post();
        assertThatThrownBy(() -> shop.schedule("t", b))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which is IN_PROGRESS: only a task that was never posted can become a part");
        ProgressEngine another = new ProgressEngine(0, shop.runtime, ThreadLevel.SINGLE);
        List<Task> foreign = List.of(shop.steps("c", 1));
        assertThatThrownBy(() -> new Schedule(another, TestTasks.REDUCE, Persistence.ONCE, foreign))
                .hasMessageContaining("it belongs to another engine");
    }
}
