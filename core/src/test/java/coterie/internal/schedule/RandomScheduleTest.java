// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.schedule.TestTasks.Steps;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Schedules drawn by a seed, against the plain reading of their order.
class RandomScheduleTest {
    private static final int SCHEDULES = 200;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    @DisplayName("parts follow each other, each part starts once a run, and nothing starts after a failure")
    void respectsOrder(long seed) {
        Random random = new Random(seed);
        try (TestTasks shop = new TestTasks()) {
            for (int drawn = 0; drawn < SCHEDULES; drawn++) {
                drawOne(shop, random);
            }
        }
    }

    private static void drawOne(TestTasks shop, Random random) {
        int size = 1 + random.nextInt(24);
        Steps[] parts = IntStream.range(0, size)
                .mapToObj(part -> shop.steps(String.valueOf(part), random.nextInt(4)))
                .toArray(Steps[]::new);
        Schedule schedule = shop.schedule("drawn", parts);
        List<String> whole = IntStream.range(0, size)
                .boxed()
                .flatMap(part -> Stream.of("start " + part, "end " + part))
                .toList();
        for (int run = 1; run <= 2; run++) {
            shop.log.clear();
            shop.run(schedule);
            assertThat(schedule.state()).isEqualTo(TaskState.OK);
            assertThat(shop.log).isEqualTo(whole);
        }
        int bad = random.nextInt(size);
        parts[bad].failingAt(random.nextInt(1 + parts[bad].steps));
        shop.log.clear();
        shop.run(schedule);
        assertThat(schedule.failure()).hasMessageStartingWith(bad + " failed at");
        assertThat(shop.log).isEqualTo(whole.subList(0, 2 * bad + 1));
        assertThat(parts).noneMatch(part -> part.state().isUnderWay());
    }
}
