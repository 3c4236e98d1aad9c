// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;

@DisplayName("timed loops do what their names say")
class LoopsTest {

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("every operation leaves what its check expects")
    void everyOperationIsRight(World world) {
        try (Workbench bench = new Workbench(world, 4096)) {
            for (Operation operation : Operation.values()) {
                if (operation.runsOn(world.size())) {
                    Loop loop = operation.loop(bench);
                    for (long bytes : operation.sizes(8, 4096)) {
                        bench.fill(bytes);
                        loop.run(5, bytes);
                        world.team().barrier();
                        loop.check(bytes);
                        world.team().barrier();
                    }
                }
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a check finds one wrong element, and one written behind the last")
    void checksFindErrors(World world) {
        try (Workbench bench = new Workbench(world, 64)) {
            Loop loop = Operation.REDUCE.loop(bench);
            for (long wrong : new long[] {0, 7, 8}) {
                bench.fill(64);
                loop.run(1, 64);
                loop.check(64);
                bench.myTarget.setAtIndex(JAVA_DOUBLE, wrong, -1);
                assertThatThrownBy(() -> loop.check(64))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("reduce of 64 bytes on PE " + world.pe())
                        .hasMessageContaining("element " + wrong + " of the target is -1.0");
                world.team().barrier();
            }
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("all PEs get PE 0's value")
    void agreementIsPeZeros(World world) {
        try (Workbench bench = new Workbench(world, 8)) {
            for (long round = 0; round < 1000; round++) {
                assertThat(bench.agree(world.pe() == 0 ? round : -round)).isEqualTo(round);
            }
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("sizes are in order, and whole doubles for collectives")
    void sizesFit(World world) {
        for (Operation operation : Operation.values()) {
            assertThat(operation.sizes(world.size())).isSorted();
            assertThat(Operation.of(operation.label())).isSameAs(operation);
        }
        assertThat(Operation.PUT.sizes(1, 16)).containsExactly(1, 2, 4, 8, 16);
        assertThat(Operation.PUT.sizes(3, 5)).containsExactly(4);
        assertThat(Arrays.stream(Operation.REDUCE.sizes(1, 64))).containsExactly(8L, 16L, 32L, 64L);
    }
}
