// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// PEs of one node load and store each other's memory; those of different nodes go through UCX.
class UcxLoadStoreTest {
    private static final String LOAD_STORE = "coterie.load.store";
    private static final int ROUNDS = 2_000;

    @BeforeAll
    static void allowLoadsAndStores() {
        System.setProperty(LOAD_STORE, "true"); // PEs that start from now on get it
    }

    @AfterAll
    static void forbidThem() {
        System.setProperty(LOAD_STORE, "false");
    }

    @SpmdTest(
            pes = 4,
            nodes = "a:2,b:2",
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("the memory of a PE's own node is mapped, in one world after another, and that of others is not")
    void nodesAreMapped() {
        for (int round = 0; round < 3; round++) {
            try (World world = World.join()) {
                int[] mine = world.pe() < 2 ? new int[] {0, 1} : new int[] {2, 3};
                assertThat(world.sharedTeam().pes()).isEqualTo(mine);
                try (SymmetricMemory memory = world.allocate(8L * 4)) {
                    assertThat(IntStream.range(0, 4)
                                    .filter(pe -> memory.segment(pe).isPresent())
                                    .toArray())
                            .isEqualTo(mine);
                    for (int pe = 0; pe < 4; pe++) {
                        memory.longs().put(world.pe(), 10L * pe + world.pe() + 1, pe);
                    }
                    world.team().barrier();
                    for (int pe = 0; pe < 4; pe++) {
                        assertThat(memory.longs().get(pe)).isEqualTo(10L * world.pe() + pe + 1);
                    }
                    world.team().barrier();
                }
            }
        }
    }

    @SpmdTest(
            pes = 4,
            nodes = "a:2,b:2",
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("atomics of the processor and atomics over UCX on one word lose nothing, for words of all widths")
    void oneDomainOfAtomicity(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            world.team().barrier();
            for (int i = 0; i < ROUNDS; i++) {
                memory.longs().add(0, 1, 0);
                memory.ints().add(2, 1, 0);
                memory.shorts().add(6, 1, 0);
                memory.shorts().add(7, 1, 0);
                memory.bytes().add(16, 1, 0);
                memory.bytes().getAndAdd(17, 1, 0);
            }
            world.team().barrier();
            if (world.pe() == 0) {
                int all = 4 * ROUNDS;
                assertThat(memory.longs().get(0)).isEqualTo(all);
                assertThat(memory.ints().get(2)).isEqualTo(all);
                assertThat(memory.shorts().get(6)).isEqualTo((short) all);
                assertThat(memory.shorts().get(7)).isEqualTo((short) all);
                assertThat(memory.bytes().get(16)).isEqualTo((byte) all);
                assertThat(memory.bytes().get(17)).isEqualTo((byte) all);
            }
            world.team().barrier();
        }
    }
}
