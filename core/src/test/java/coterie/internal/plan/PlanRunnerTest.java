// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.collective.CollectiveType;
import coterie.layer.Arguments.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The runner finds errors of plans.
class PlanRunnerTest {
    private static final ByteSpan SOURCE = new ByteSpan(PlanBuffer.SOURCE, 0, 8);
    private static final ByteSpan TARGET = new ByteSpan(PlanBuffer.TARGET, 0, 8);

    private static void refuses(String wrong, Plan.Builder first, Plan.Builder second) {
        List<Plan> plans = List.of(first.build(), second.build());
        assertThatThrownBy(() -> runInMemory(plans))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining(wrong);
    }

    private static void runInMemory(List<Plan> plans) {
        SplittableRandom random = new SplittableRandom(1);
        BlockLayout vector = new BlockLayout.Even(1, 8);
        List<PlanMemory> planMemories = new ArrayList<>();
        for (int me = 0; me < plans.size(); me++) {
            CollectiveShape shape = new CollectiveShape(
                    CollectiveType.ALL_REDUCE, plans.size(), me, 0, 8, Order.ANY, false, vector, vector, 2);
            planMemories.add(new PlanMemory(shape, false, plans.get(me).scratchBytes(), random));
        }
        new PlanRunner(plans, planMemories, PlanOperation.SUM, random).run();
    }

    @Test
    @DisplayName("two members that both send first wait for ever")
    void deadlock() {
        refuses(
                "waits for ever",
                Plan.builder().send(1, SOURCE).next().receive(1, TARGET),
                Plan.builder().send(0, SOURCE).next().receive(0, TARGET));
    }

    @Test
    @DisplayName("a message that no member sends")
    void nobodySends() {
        refuses("waits for ever", Plan.builder().receive(1, TARGET), Plan.builder());
    }

    @Test
    @DisplayName("a message that is longer on one side")
    void lengths() {
        refuses(
                "differ in length",
                Plan.builder().send(1, SOURCE),
                Plan.builder().receive(0, TARGET.part(0, 4)));
    }

    @Test
    @DisplayName("a message into bytes that the same step sends")
    void overlapInStep() {
        refuses(
                "of one step overlap",
                Plan.builder().send(1, TARGET.part(0, 4)).receive(1, TARGET),
                Plan.builder().send(0, SOURCE).receive(0, TARGET.part(0, 4)));
    }

    @Test
    @DisplayName("bytes after the end of a buffer")
    void outside() {
        refuses("there is no", Plan.builder().copy(new ByteSpan(PlanBuffer.TARGET, 4, 8), SOURCE), Plan.builder());
    }

    @Test
    @DisplayName("a copy between spans that overlap in part")
    void overlapInCopy() {
        Plan.Builder plan = Plan.builder();
        ByteSpan scratch = plan.scratch(16);
        refuses("overlaps in part", plan.copy(scratch.part(0, 8), scratch.part(4, 8)), Plan.builder());
    }

    @Test
    @DisplayName("any action that writes to the source")
    void sourceWritten() {
        refuses("writes to the source", Plan.builder().clear(SOURCE), Plan.builder());
        refuses(
                "writes to the source",
                Plan.builder().receive(1, SOURCE),
                Plan.builder().send(0, TARGET));
    }

    @Test
    @DisplayName("a fold of half an element")
    void halfAnElement() {
        ByteSpan half = TARGET.part(0, 4);
        refuses("cuts elements", Plan.builder().fold(half, half, SOURCE.part(0, 4)), Plan.builder());
    }
}
