// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PlanCompositionTest {
    private static final ByteSpan NOWHERE = new ByteSpan(PlanBuffer.SCRATCH, 0, 0);

    private static ByteSpan source(long offset, long bytes) {
        return new ByteSpan(PlanBuffer.SOURCE, offset, bytes);
    }

    private static ByteSpan target(long offset, long bytes) {
        return new ByteSpan(PlanBuffer.TARGET, offset, bytes);
    }

    private static ByteSpan scratch(long offset, long bytes) {
        return new ByteSpan(PlanBuffer.SCRATCH, offset, bytes);
    }

    private static Step step(Action.Message... messages) {
        return new Step(List.of(messages), List.of());
    }

    @Test
    @DisplayName("a part's members and buffers are those that it is given, in every action")
    void placed() {
        Plan.Builder part = Plan.builder();
        ByteSpan own = part.scratch(8);
        part.send(0, source(4, 8)).receive(2, own).next();
        part.copy(target(8, 8), own).fold(target(0, 8), own, source(0, 8)).clear(own);
        int[] members = {7, 8, 9};
        PlanComposition whole = new PlanComposition();
        whole.scratch(100);
        Plan plan = whole.then(part.build(), number -> members[number], target(100, 16), scratch(16, 16))
                .build();
        assertThat(plan)
                .isEqualTo(new Plan(
                        List.of(
                                step(new Action.Send(7, target(104, 8)), new Action.Receive(9, scratch(128, 8))),
                                new Step(
                                        List.of(),
                                        List.of(
                                                new Action.Copy(scratch(24, 8), scratch(128, 8)),
                                                new Action.Fold(scratch(16, 8), scratch(128, 8), target(100, 8)),
                                                new Action.Clear(scratch(128, 8))))),
                        192));
    }

    @Test
    @DisplayName("parts come one after the other, each with scratch memory of its own")
    void oneAfterTheOther() {
        Plan.Builder part = Plan.builder();
        part.receive(0, part.scratch(64)).next().send(1, ByteSpan.NOTHING);
        Plan receive = part.build();
        Plan plan = new PlanComposition()
                .then(receive, number -> number + 1, NOWHERE, NOWHERE)
                .then(receive, number -> number + 5, NOWHERE, NOWHERE)
                .build();
        assertThat(plan)
                .isEqualTo(new Plan(
                        List.of(
                                step(new Action.Receive(1, scratch(0, 64))),
                                step(new Action.Send(2, scratch(0, 0))),
                                step(new Action.Receive(5, scratch(64, 64))),
                                step(new Action.Send(6, scratch(64, 0)))),
                        128));
    }

    @Test
    @DisplayName("parallel parts begin together, after what was before both; what follows waits for both")
    void beside() {
        Plan one = Plan.builder().send(0, source(0, 1)).build();
        Plan three = Plan.builder()
                .send(0, source(0, 2))
                .copy(target(0, 2), source(0, 2))
                .next()
                .send(0, source(0, 3))
                .next()
                .send(0, source(0, 4))
                .build();
        Plan plan = new PlanComposition()
                .then(one, number -> 1, source(0, 9), target(0, 9))
                .then(one, number -> 2, source(0, 9), target(0, 9))
                .beside(three, number -> 3, source(0, 9), target(0, 9))
                .beside(one, number -> 4, source(0, 9), target(0, 9))
                .then(one, number -> 5, source(0, 9), target(0, 9))
                .build();
        assertThat(plan.steps())
                .containsExactly(
                        step(new Action.Send(1, source(0, 1))),
                        new Step(
                                List.of(
                                        new Action.Send(2, source(0, 1)),
                                        new Action.Send(3, source(0, 2)),
                                        new Action.Send(4, source(0, 1))),
                                List.of(new Action.Copy(target(0, 2), source(0, 2)))),
                        step(new Action.Send(3, source(0, 3))),
                        step(new Action.Send(3, source(0, 4))),
                        step(new Action.Send(5, source(0, 1))));
    }

    @Test
    @DisplayName("a copy is done when all before is")
    void copy() {
        Plan one = Plan.builder().receive(0, target(0, 1)).build();
        Action.Copy copy = new Action.Copy(target(1, 1), target(0, 1));
        Plan plan = new PlanComposition()
                .copy(copy.target(), copy.source())
                .then(one, number -> 1, NOWHERE, target(0, 1))
                .copy(copy.target(), copy.source())
                .build();
        assertThat(plan.steps())
                .containsExactly(
                        new Step(List.of(), List.of(copy)),
                        new Step(List.of(new Action.Receive(1, target(0, 1))), List.of(copy)));
    }

    @Test
    @DisplayName("a part that needs more of a buffer than it is given is refused")
    void tooLong() {
        Plan part = Plan.builder().send(0, source(4, 8)).build();
        assertThatThrownBy(() -> new PlanComposition().then(part, number -> number, source(0, 11), NOWHERE))
                .isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    @DisplayName("a plan without some members has all but its messages with them, and no empty steps")
    void without() {
        Action.Copy copy = new Action.Copy(target(0, 1), source(0, 1));
        Plan plan = Plan.builder()
                .send(1, source(0, 1))
                .receive(2, target(0, 1))
                .next()
                .receive(1, target(0, 1))
                .next()
                .send(1, source(0, 1))
                .copy(copy.target(), copy.source())
                .build();
        assertThat(plan.without(member -> member == 1).steps())
                .containsExactly(step(new Action.Receive(2, target(0, 1))), new Step(List.of(), List.of(copy)));
    }
}
