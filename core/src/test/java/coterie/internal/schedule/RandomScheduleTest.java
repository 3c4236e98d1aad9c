// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.schedule.TestTasks.Steps;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Schedules drawn by a seed, against the plain reading of their edges.
class RandomScheduleTest {
    private static final int SCHEDULES = 200;

    private record Edge(int before, TaskEvent event, int after) {}

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("starts respect all edges, each part starts once a run, and nothing starts after a failure")
    void respectsEdges(long seed) {
        Random random = new Random(seed);
        try (TestTasks shop = new TestTasks()) {
            for (int drawn = 0; drawn < SCHEDULES; drawn++) {
                drawOne(shop, random);
            }
        }
    }

    private static void drawOne(TestTasks shop, Random random) {
        int size = 1 + random.nextInt(24);
        List<Integer> order = new ArrayList<>();
        List<Steps> parts = new ArrayList<>();
        for (int part = 0; part < size; part++) {
            order.add(part);
            parts.add(shop.steps(String.valueOf(part), random.nextInt(4)));
        }
        Collections.shuffle(order, random);
        List<Edge> edges = new ArrayList<>();
        for (int edge = random.nextInt(3 * size); edge > 0 && size > 1; edge--) {
            int to = 1 + random.nextInt(size - 1);
            edges.add(new Edge(
                    order.get(random.nextInt(to)),
                    random.nextBoolean() ? TaskEvent.STARTED : TaskEvent.COMPLETED,
                    order.get(to)));
        }
        ScheduleBuilder builder = shop.schedule("drawn");
        parts.forEach(builder::add);
        edges.forEach(edge -> builder.after(parts.get(edge.before), edge.event, parts.get(edge.after)));
        Schedule schedule = builder.build();
        for (int run = 1; run <= 2; run++) {
            shop.log.clear();
            shop.run(schedule);
            assertThat(schedule.state()).isEqualTo(TaskState.OK);
            assertThat(shop.log).hasSize(2 * size).doesNotHaveDuplicates();
            checkEdges(shop.log, edges);
        }
        int bad = random.nextInt(size);
        parts.get(bad).failingAt(random.nextInt(1 + parts.get(bad).steps));
        shop.log.clear();
        shop.run(schedule);
        assertThat(schedule.failure()).hasMessageStartingWith(bad + " failed at");
        assertThat(shop.log).doesNotHaveDuplicates().doesNotContain("end " + bad);
        checkEdges(shop.log, edges);
        assertThat(parts).noneMatch(part -> part.state().isUnderWay());
        for (Edge edge : edges) {
            boolean held = edge.before == bad && edge.event == TaskEvent.COMPLETED;
            assertThat(held && shop.log.contains("start " + edge.after))
                    .as("%d starts after %d, which has failed", edge.after, edge.before)
                    .isFalse();
        }
    }

    /// What has happened has happened in an order that the edges allow.
    private static void checkEdges(List<String> log, List<Edge> edges) {
        for (Edge edge : edges) {
            int after = log.indexOf("start " + edge.after);
            int before = log.indexOf((edge.event == TaskEvent.STARTED ? "start " : "end ") + edge.before);
            if (after >= 0) {
                assertThat(before).as("%s in %s", edge, log).isBetween(0, after - 1);
            }
        }
    }
}
