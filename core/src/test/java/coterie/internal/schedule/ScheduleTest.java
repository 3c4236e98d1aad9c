// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static coterie.internal.schedule.TaskEvent.COMPLETED;
import static coterie.internal.schedule.TaskEvent.FAILED;
import static coterie.internal.schedule.TaskEvent.STARTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ThreadLevel;
import coterie.WaitTimeoutException;
import coterie.internal.schedule.TestTasks.Steps;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Tasks that start after others.
class ScheduleTest {
    @AutoClose
    private final TestTasks shop = new TestTasks();

    @Test
    @DisplayName("parts start after what they come after has started or completed, and again in each run")
    void edges() {
        Steps a = shop.steps("a", 2);
        Steps b = shop.steps("b", 1);
        Steps c = shop.steps("c", 3);
        Schedule schedule =
                shop.schedule("s").add(a).add(b, a).add(c).after(a, STARTED, c).build();
        for (int run = 1; run <= 3; run++) {
            shop.log.clear();
            shop.run(schedule);
            assertThat(shop.log).containsExactly("start a", "start c", "end a", "start b", "end c", "end b");
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
        Schedule schedule = shop.schedule("s").add(a).add(b, a).build();
        schedule.post();
        assertThat(b.state()).isEqualTo(TaskState.POSTED);
        a.stuck = false;
        schedule.await();
        assertThat(b.state()).isEqualTo(TaskState.OK);
    }

    @Test
    @DisplayName("a schedule of nothing, and one of thousands of parts that end at their start, are complete at once")
    void longChain() {
        Schedule nothing = shop.schedule("nothing").build();
        nothing.post();
        assertThat(nothing.state()).isEqualTo(TaskState.OK);
        ScheduleBuilder builder = shop.schedule("chain");
        Steps last = shop.steps("0", 0);
        builder.add(last);
        for (int part = 1; part < 10_000; part++) {
            Steps next = shop.steps(String.valueOf(part), 0);
            builder.add(next, last);
            last = next;
        }
        Schedule chain = builder.build();
        chain.post();
        assertThat(chain.state()).isEqualTo(TaskState.OK);
        assertThat(last.starts).isOne();
    }

    @Test
    @DisplayName("the failure of a part fails the schedule and what is in progress; the rest is not started")
    void failure() {
        Steps bad = shop.steps("bad", 3).failingAt(2);
        Steps busy = shop.steps("busy", 9);
        Steps never = shop.steps("never", 1);
        Steps done = shop.steps("done", 0);
        Steps deep = shop.steps("deep", 9);
        Schedule inner = shop.schedule("inner").add(deep).build();
        Schedule schedule = shop.schedule("s")
                .add(done)
                .add(busy)
                .add(inner)
                .add(bad)
                .add(never, bad)
                .build();
        schedule.on(FAILED, (task, event) -> shop.log.add("told of s"));
        busy.on(FAILED, (task, event) -> shop.log.add("told of busy"));
        shop.run(schedule);
        assertThatThrownBy(schedule::await).isSameAs(bad.failure()).hasMessage("bad failed at 2");
        assertThat(busy.failure())
                .isInstanceOf(CoterieException.class)
                .hasMessage("allReduce on PE 0, task \"busy\" of team \"row\": stopped, because task \"s\" failed")
                .hasCause(bad.failure());
        assertThat(deep.state()).isEqualTo(TaskState.FAILED);
        assertThat(inner.state()).isEqualTo(TaskState.FAILED);
        assertThat(busy.stops).isOne();
        assertThat(deep.stops).isOne();
        assertThat(never.starts).isZero();
        assertThat(never.state()).isEqualTo(TaskState.INITIALIZED);
        assertThat(done.state()).isEqualTo(TaskState.OK);
        assertThat(shop.log).endsWith("told of busy", "told of s");
        assertThat(shop.engine.progress()).isFalse();
        schedule.finalise();
    }

    @Test
    @DisplayName("the failure at a start stops those that would have started next, and the schedule at its post")
    void failureAtStart() {
        Steps bad = shop.steps("bad", 3).failingAt(0);
        Steps next = shop.steps("next", 1);
        Steps eager = shop.steps("eager", 1);
        Schedule schedule = shop.schedule("s")
                .add(bad)
                .add(next)
                .add(eager)
                .after(bad, STARTED, eager)
                .build();
        schedule.post();
        assertThat(schedule.failure()).hasMessage("bad failed at 0");
        assertThat(next.starts + eager.starts).isZero();
    }

    @Test
    @DisplayName("a late part, and a late schedule, fail the schedule; a part's time counts from its start")
    void deadlines() {
        Steps first = shop.steps("first", 1).stuck();
        Steps late = shop.steps("late", 1).stuck();
        late.timeout(2_000_000);
        Schedule schedule = shop.schedule("s").add(first).add(late, first).build();
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
        Schedule whole = shop.schedule("whole").add(slow).build();
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
            Schedule schedule = shop.schedule("s").add(part).build();
            shop.run(schedule);
            assertThat(schedule.failure()).hasMessage("callback");
            assertThat(schedule.failure().getSuppressed()).hasSize(failAt < 0 ? 0 : 1);
        }
    }

    @Test
    @DisplayName("a cycle is refused with its names, also one of starts and one of a part alone")
    void cycles() {
        Steps before = shop.steps("before", 0);
        Steps a = shop.steps("a", 0);
        Steps b = shop.steps("b", 0);
        Steps c = shop.steps("c", 0);
        Steps behind = shop.steps("behind", 0);
        ScheduleBuilder builder = shop.schedule("s")
                .add(before)
                .add(a, before)
                .add(b, a)
                .add(c)
                .after(b, STARTED, c)
                .add(behind, c);
        builder.after(c, COMPLETED, a);
        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("schedule \"s\" on PE 0: its dependencies form a cycle: a → b → c → a");
        Steps self = shop.steps("self", 0);
        ScheduleBuilder alone = shop.schedule("t").add(self).after(self, STARTED, self);
        assertThatThrownBy(alone::build).hasMessageEndingWith("form a cycle: self → self");
    }

    @Test
    @DisplayName("what can't be a part, or an edge, is refused")
    void refusals() {
        Steps a = shop.steps("a", 1);
        Steps b = shop.steps("b", 1);
        ScheduleBuilder builder = shop.schedule("s").add(a);
        assertThatThrownBy(() -> builder.add(a)).hasMessage("schedule \"s\" on PE 0: it already contains task \"a\"");
        assertThatThrownBy(() -> builder.after(b, STARTED, a))
                .hasMessage("schedule \"s\" on PE 0: it does not contain task \"b\"; add the task first");
        assertThatThrownBy(() -> builder.after(a, FAILED, a)).hasMessageContaining("after another has FAILED");
        builder.build();
        assertThatThrownBy(shop.schedule("t").add(a)::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is a part of task \"s\"");
        b.post();
        assertThatThrownBy(shop.schedule("t").add(b)::build)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which is IN_PROGRESS: only a task that was never posted can become a part");
        ProgressEngine another = new ProgressEngine(0, shop.room, ThreadLevel.SINGLE);
        assertThatThrownBy(
                        Schedule.of(another, TestTasks.REDUCE, Persistence.ONCE).add(shop.steps("c", 1))::build)
                .hasMessageContaining("it belongs to another engine");
    }
}
