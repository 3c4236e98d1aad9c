// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CollectiveMismatchException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.Map;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("PEs that end at once after a mismatch, over a network, have let the others read their arguments")
class MismatchSimulationTest {
    private static final int SEEDS = 100;

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void ofCalls(int pes) {
        assertNamed(
                pes,
                (world, memory) -> world.team()
                        .allReduce(Reduction.SUM, memory.longs(), 0, memory.longs(), 4, world.pe() == 1 ? 3 : 2),
                "members disagree on the count: 2 on PEs [0",
                "3 on PEs [1]");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void ofRequests(int pes) {
        assertNamed(
                pes,
                (world, memory) -> {
                    int count = world.pe() == 1 ? 3 : 2;
                    Request request = world.team()
                            .prepare(Collective.allReduce(Reduction.SUM)
                                    .source(memory.longs(), 0, count)
                                    .target(memory.longs(), 4, count));
                    world.team().barrier(); // a late prepare would get the others' error, of another operation
                    request.post();
                    request.await();
                },
                "members disagree on the number of bytes: ",
                "24 on PE 1",
                "16 on PE ");
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    @DisplayName("PEs that close the team at once have told what they found, or leave it to be read")
    void ofRequestsBeforeAClose(int pes) {
        assertNamed(
                pes,
                (world, memory) -> {
                    Collective sum = Collective.allReduce(Reduction.SUM)
                            .source(memory.longs(), 0, 1)
                            .target(memory.longs(), 4, 1);
                    try (Team team = world.team().duplicate();
                            Request request = team.prepare(world.pe() == 1 ? Collective.barrier() : sum)) {
                        request.post();
                        request.await();
                    }
                },
                "members call different collectives: PE ",
                " allReduce #1",
                "PE 1 barrier #1");
    }

    private static void assertNamed(int pes, BiConsumer<World, SymmetricMemory> call, String... words) {
        for (int seed = 0; seed < SEEDS; seed++) {
            String script = "order=weak,seed=" + seed;
            Map<Integer, Throwable> failures = SimJob.run(pes, script, world -> call.accept(world, world.allocate(64)))
                    .failures();
            assertThat(failures).as(script).hasSize(pes);
            assertThat(failures.values())
                    .as(script)
                    .allSatisfy(failure -> assertThat(failure)
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContainingAll(words));
        }
    }
}
