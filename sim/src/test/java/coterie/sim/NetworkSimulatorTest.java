// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.Reduction;
import coterie.SymmetricMemory;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// Whole runs.
class NetworkSimulatorTest {
    private static final SimJob.Body RING = world -> {
        try (SymmetricMemory memory = world.allocate(4096)) {
            int next = (world.pe() + 1) % world.size();
            for (int round = 1; round <= 20; round++) {
                memory.longs().put(0, round * 100L + world.pe(), next);
                world.context().fence();
                memory.signal(1).set(round, next);
                memory.signal(1).waitUntil(Comparison.EQ, round);
                int before = (world.pe() + world.size() - 1) % world.size();
                assertThat(memory.longs().get(0)).isEqualTo(round * 100L + before);
                world.team().barrier();
            }
            assertThat(world.team().allReduce(Reduction.SUM, 1L)).isEqualTo(world.size());
            SimJob.passSignal(memory, next);
            world.team().barrier();
        }
    };

    @Test
    void aProgramRunsToItsEnd() {
        for (int size : new int[] {1, 2, 5}) {
            for (int seed = 0; seed < 20; seed++) {
                assertThat(SimJob.run(size, "seed=" + seed, RING).failures()).isEmpty();
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameEvents() {
        Set<String> digests = new HashSet<>();
        for (int run = 0; run < 100; run++) {
            digests.add(SimJob.run(4, "seed=7", RING).digest());
        }
        assertThat(digests).hasSize(1);
        assertThat(SimJob.run(4, "seed=8", RING).digest()).isNotIn(digests);
    }

    @Test
    void aStoryRepeatsAPerformance() {
        SimJob.Outcome first = SimJob.run(3, "seed=3", RING);
        assertThat(first.story()).contains("schedule=");
        assertThat(SimJob.run(3, first.story(), RING).digest()).isEqualTo(first.digest());
    }
}
