// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Teams that synchronize along a tree, and order on a network without fences.
class LargeTeamsTest {
    private static final String TREE_SYNC_ABOVE = "coterie.tree.sync.above";

    @AfterEach
    void asUsual() {
        System.clearProperty(TREE_SYNC_ABOVE);
    }

    private static void useAll(World world) {
        int size = world.size();
        Team all = world.team();
        try (SymmetricMemory memory = world.allocate(4096)) {
            int next = (world.pe() + 1) % size;
            int before = (world.pe() + size - 1) % size;
            for (int round = 1; round <= 5; round++) {
                memory.longs().put(0, round * 100L + world.pe(), next);
                world.context().fence();
                memory.signal(1).add(1, next);
                memory.signal(1).waitUntil(Comparison.EQ, round);
                assertThat(memory.longs().get(0)).isEqualTo(round * 100L + before);
                assertThat(all.sum((long) world.pe())).isEqualTo(size * (size - 1L) / 2);
                all.barrier();
            }
            memory.longs().set(8, world.pe());
            all.barrier();
            all.allGatherV(memory.longs(), 16, memory.longs(), 8, 1);
            for (int pe = 0; pe < size; pe++) {
                assertThat(memory.longs().get(16 + pe)).isEqualTo(pe);
            }
            Collective sum = Collective.allReduce(Reduction.SUM)
                    .source(memory.longs(), 8, 1)
                    .target(memory.longs(), 9, 1);
            try (Request request = all.prepare(sum)) {
                request.post();
                request.await();
            }
            assertThat(memory.longs().get(9)).isEqualTo(size * (size - 1L) / 2);
            try (Team part = all.splitByColor(world.pe() % 3, -world.pe())) {
                assertThat(part.allReduce(Reduction.MAX, (long) world.pe()) % 3).isEqualTo(world.pe() % 3);
            }
            SimJob.passSignal(memory, next);
            all.barrier();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 6, 11})
    void theyMeetOnEveryNetwork(int size) {
        for (String flat : List.of("0", "1024")) {
            System.setProperty(TREE_SYNC_ABOVE, flat);
            for (String order : List.of("native", "weak")) {
                for (int seed = 0; seed < 5; seed++) {
                    String script = "order=" + order + ",seed=" + seed;
                    assertThat(SimJob.run(size, script, LargeTeamsTest::useAll).failures())
                            .as("%s, up to %s flat", script, flat)
                            .isEmpty();
                }
            }
        }
    }

    /// A PE fails at any of its operations: the other PEs end, and their only exception reports the failure.
    @ParameterizedTest
    @ValueSource(strings = {"native", "weak"})
    void nobodyHangsWhoeverDiesWhen(String order) {
        System.setProperty(TREE_SYNC_ABOVE, "0");
        int reached = 0;
        for (int dead = 0; dead < 6; dead++) {
            for (int operation = 1; operation < 60; operation += 7) {
                String script = "order=" + order + ",seed=" + operation + ",die=" + dead + "@" + operation;
                var failures = SimJob.run(6, script, LargeTeamsTest::useAll).failures();
                failures.remove(dead);
                assertThat(failures.values()).as(script).hasOnlyElementsOfType(PeFailedException.class);
                reached += failures.isEmpty() ? 0 : 1;
            }
        }
        assertThat(reached).as("failures that other PEs have noticed").isGreaterThan(20);
    }
}
