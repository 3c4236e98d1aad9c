// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Sums whose bits depend on how operands are grouped, beside layers that plug in and would group them.
class RoundedSumsTest extends HallCase {

    @BeforeEach
    void plugInBoth() {
        plugged.close();
        plugged = Plugged.in(folder, List.of(HallLayer.class, RungLayer.class));
        Plugged.set("coterie.cl.rung.tune=0");
        HallLayer.SERVED.clear();
    }

    @Test
    @DisplayName("calls of floating-point sums do not go by a collective layer, and explain says so; requests do")
    void roundedSums() {
        Plugged.set("coterie.cl.rung.tune=allreduce:inf#barrier:0", "coterie.tls=^hall");
        run(PES, world -> {
            Team team = world.team();
            var doubles = world.allocate(16).doubles();
            doubles.set(0, 0.5);
            team.allReduce(Reduction.SUM, doubles, 1, doubles, 0, 1);
            assertThat(doubles.get(1)).isEqualTo(0.5 * PES);
            Explanation told = team.explain(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.DOUBLE, 8);
            assertThat(told.candidates().getFirst().component()).isEqualTo("rung");
            assertThat(told.selected(Explanation.Use.CALL).orElseThrow().component())
                    .isEqualTo("mapped");
            assertThat(told.selected(Explanation.Use.REQUEST).orElseThrow().component())
                    .isEqualTo("rung");
        });
    }

    @Test
    @DisplayName("sums of 16-bit numbers go by no layer that plugs in, as calls and as requests: they are rounded once")
    void shortSums() {
        Plugged.set("coterie.cl.rung.tune=allreduce:inf#barrier:0", "coterie.tls=^hall");
        run(PES, world -> {
            Team team = world.team();
            var numbers = world.allocate(16).bfloat16s();
            numbers.set(0, team.member() == 0 ? 256 : 0.75f); // each sum of two is rounded down
            team.barrier();
            float sum = Bfloat16.toFloat(Bfloat16.of(256 + 0.75f * (PES - 1)));
            team.allReduce(Reduction.SUM, numbers, 1, numbers, 0, 1);
            assertThat(numbers.get(1)).isEqualTo(sum).isGreaterThan(256);
            Collective asked = Collective.allReduce(Reduction.SUM);
            try (Request request = team.prepare(asked.source(numbers, 0, 1).target(numbers, 2, 1))) {
                request.post();
                request.await();
            }
            assertThat(numbers.get(2)).isEqualTo(sum);
            Explanation told = team.explain(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.BFLOAT16, 2);
            assertThat(told.candidates().getFirst().component()).isEqualTo("rung");
            assertThat(told.candidates().getFirst().limits())
                    .extracting(Explanation.Limit::reason)
                    .containsOnly("its folds would round 16-bit numbers at each member");
        });
    }
}
