// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Fragments of three parts each, a chain, that take a number of steps drawn by a seed.
class PipelineTest {
    private static final int FRAGMENTS = 11;
    private static final int PARTS = 3;
    private static final int UNITS = 32;

    @AutoClose
    private final TestTasks shop = new TestTasks();

    private final Random random = new Random(7);
    private final List<String> log = new ArrayList<>();
    private final List<Integer> setUp = new ArrayList<>();
    private final int[] seen = new int[UNITS];
    private int fewest = UNITS;
    private int running;
    private int mostRunning;
    private int badFragment = -1;
    private int badPart = -1;

    /// A part that knows its fragment, and touches the fragment's units when it ends.
    private final class Part extends Task {
        private final int place;
        private int fragment;
        private int left;

        Part(int place) {
            super(shop.engine, TestTasks.REDUCE.part("part " + place), Persistence.ONCE);
            this.place = place;
        }

        @Override
        protected void start() {
            log.add("start " + place + " of " + fragment);
            left = random.nextInt(4);
            reach();
        }

        @Override
        protected boolean progress() {
            left--;
            reach();
            return true;
        }

        private void reach() {
            if (left > 0) {
                return;
            }
            if (fragment == badFragment && place == badPart) {
                throw new ArithmeticException("fragment " + fragment + " failed");
            }
            if (place == PARTS - 1) {
                long begin = PipelineParameters.begin(UNITS, FRAGMENTS, fragment);
                long end = PipelineParameters.begin(UNITS, FRAGMENTS, fragment + 1);
                fewest = (int) Math.min(fewest, end - begin);
                for (long unit = begin; unit < end; unit++) {
                    seen[(int) unit]++;
                }
            }
            log.add("end " + place + " of " + fragment);
            finish();
        }
    }

    private Pipeline pipeline(int depth, FragmentOrder order) {
        return new Pipeline(
                shop.engine,
                TestTasks.REDUCE.part("pipe"),
                Persistence.PERSISTENT,
                FRAGMENTS,
                depth,
                order,
                this::fragment,
                this::setUp);
    }

    private Schedule fragment(int lane) {
        Schedule schedule = shop.schedule("lane " + lane, new Part(0), new Part(1), new Part(2));
        schedule.on(TaskEvent.COMPLETED, (task, event) -> running--);
        return schedule;
    }

    private void setUp(Schedule schedule, int fragment) {
        schedule.parts().forEach(part -> ((Part) part).fragment = fragment);
        setUp.add(fragment);
        running++;
        mostRunning = Math.max(mostRunning, running);
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("UC-21 eleven fragments at depth 2, the last one shorter: each runs once, in the order asked for")
    void elevenFragments(FragmentOrder order) {
        Pipeline pipeline = pipeline(2, order);
        for (int run = 1; run <= 20; run++) {
            log.clear();
            setUp.clear();
            shop.run(pipeline);
            assertThat(pipeline.failure()).isNull();
            assertThat(setUp).isEqualTo(List.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
            assertThat(seen).as("each unit once a run").containsOnly(run);
            assertThat(log).hasSize(2 * PARTS * FRAGMENTS).doesNotHaveDuplicates();
            checkOrder(order);
        }
        assertThat(mostRunning).isEqualTo(2);
        assertThat(fewest).as("units of the last").isEqualTo(2);
        pipeline.finalise();
    }

    @Test
    @DisplayName("UC-21 only in parallel do parts overtake those of the fragment before, and only SEQUENTIAL waits for"
            + " their end")
    void ordersDiffer() {
        boolean overtaken = false;
        for (int run = 0; run < 20; run++) {
            log.clear();
            shop.run(pipeline(3, FragmentOrder.PARALLEL));
            overtaken |= !inOrder("start ", "start ");
        }
        assertThat(overtaken).isTrue();
        boolean ahead = false;
        for (int run = 0; run < 20; run++) {
            log.clear();
            shop.run(pipeline(3, FragmentOrder.ORDERED));
            ahead |= !inOrder("end ", "start ");
        }
        assertThat(ahead).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("UC-21 an error in the middle fails the pipeline and the fragment beside it; no other starts")
    void errorInTheMiddle(FragmentOrder order) {
        for (int part = 0; part < PARTS; part++) {
            badFragment = 5;
            badPart = part;
            log.clear();
            setUp.clear();
            Pipeline pipeline = pipeline(2, order);
            pipeline.on(TaskEvent.FAILED, (task, event) -> running = 0);
            shop.run(pipeline);
            assertThatThrownBy(pipeline::await).hasMessage("fragment 5 failed");
            assertThat(setUp.getLast()).isIn(5, 6);
            assertThat(log).doesNotContain("end " + part + " of 5").noneMatch(line -> line.endsWith(" of 7"));
            if (part + 1 < PARTS) {
                assertThat(log).doesNotContain("start " + (part + 1) + " of 5");
            }
            int known = log.size();
            assertThat(shop.engine.progress()).isFalse();
            assertThat(log).hasSize(known);
            pipeline.finalise();
        }
    }

    @Test
    @DisplayName("fragments that have nothing to do, and setups that throw")
    void extremes() {
        Pipeline quick = new Pipeline(
                shop.engine,
                TestTasks.REDUCE.part("quick"),
                Persistence.ONCE,
                5,
                9,
                FragmentOrder.SEQUENTIAL,
                lane -> shop.schedule("lane", shop.steps("nothing " + lane, 0)),
                (schedule, fragment) -> setUp.add(fragment));
        shop.run(quick);
        assertThat(setUp).containsExactly(0, 1, 2, 3, 4);
        Pipeline refused = new Pipeline(
                shop.engine,
                TestTasks.REDUCE.part("refused"),
                Persistence.ONCE,
                5,
                1,
                FragmentOrder.ORDERED,
                lane -> shop.schedule("lane", shop.steps("s", 1)),
                (schedule, fragment) -> {
                    if (fragment == 3) {
                        throw new IllegalStateException("no buffer for 3");
                    }
                });
        refused.post();
        assertThatThrownBy(refused::await).hasMessage("no buffer for 3");
        assertThat(refused.describe()).endsWith("task \"refused\" of team \"row\", 3 of 5 fragments complete");
    }

    @Test
    @DisplayName("templates that differ, and numbers below 1, are refused")
    void refusals() {
        assertThatThrownBy(() -> new Pipeline(
                        shop.engine,
                        TestTasks.REDUCE,
                        Persistence.ONCE,
                        4,
                        2,
                        FragmentOrder.PARALLEL,
                        lane -> shop.schedule(
                                "lane",
                                Stream.generate(() -> shop.steps("s", 1))
                                        .limit(1L + lane)
                                        .toArray(Task[]::new)),
                        (schedule, fragment) -> {}))
                .hasMessageEndingWith("its template made schedules of 1 and of 2 parts; all must have the same number");
        for (int[] bad : new int[][] {{0, 1}, {1, 0}}) {
            assertThatThrownBy(() -> new Pipeline(
                            shop.engine,
                            TestTasks.REDUCE,
                            Persistence.ONCE,
                            bad[0],
                            bad[1],
                            FragmentOrder.PARALLEL,
                            lane -> shop.schedule("lane"),
                            (schedule, fragment) -> {}))
                    .hasMessageContaining(bad[0] + " fragments at depth " + bad[1] + "; both must be at least 1");
        }
    }

    private void checkOrder(FragmentOrder order) {
        for (int fragment = 0; fragment < FRAGMENTS; fragment++) {
            for (int part = 1; part < PARTS; part++) {
                assertThat(log.indexOf("start " + part + " of " + fragment))
                        .isGreaterThan(log.indexOf("end " + (part - 1) + " of " + fragment));
            }
        }
        switch (order) {
            case PARALLEL -> {}
            case ORDERED ->
                assertThat(inOrder("start ", "start ")).as("%s", log).isTrue();
            case SEQUENTIAL ->
                assertThat(inOrder("end ", "start ")).as("%s", log).isTrue();
        }
    }

    /// Whether each part's `event` in one fragment comes before the `next` in the following fragment.
    private boolean inOrder(String event, String next) {
        for (int fragment = 1; fragment < FRAGMENTS; fragment++) {
            for (int part = 0; part < PARTS; part++) {
                if (log.indexOf(event + part + " of " + (fragment - 1))
                        > log.indexOf(next + part + " of " + fragment)) {
                    return false;
                }
            }
        }
        return true;
    }
}
