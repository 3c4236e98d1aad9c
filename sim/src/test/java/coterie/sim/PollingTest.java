// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.WaitSet;
import coterie.World;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Programs that poll their own memory in a loop and never wait, on a network without fences.
class PollingTest {
    private static final int PES = 3;
    private static final int SEEDS = 10;
    private static final int FLAG = 0;
    private static final int OTHER = 1;
    private static final int DATA = 2;

    /// Ways to poll.
    enum Poll {
        TEST,
        TEST_ALL,
        TEST_ANY,
        TEST_SOME,
        FETCH,
        ATOMIC_FETCH,
        GET,
        GET_OF_TWO;

        boolean holds(World world, SymmetricMemory memory, WaitSet set) {
            LongView longs = memory.longs();
            return switch (this) {
                case TEST -> longs.test(FLAG, Comparison.EQ, 1);
                case TEST_ALL -> set.testAll(Comparison.EQ, new long[] {1, 0});
                case TEST_ANY -> set.testAny(Comparison.EQ, 1) == FLAG;
                case TEST_SOME -> set.testSome(Comparison.EQ, 1, new int[2]) == 1;
                case FETCH -> memory.signal(FLAG).fetch() == 1;
                case ATOMIC_FETCH -> longs.getAcquire(FLAG, world.pe()) == 1;
                case GET -> longs.get(FLAG) == 1;
                case GET_OF_TWO -> longs.get(FLAG) == 1 || longs.get(OTHER) == 1;
            };
        }
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(Poll.class)
    @DisplayName("a PE that polls for its left neighbour's flag sends its own deferred flag meanwhile, so every loop"
            + " ends")
    void loopsEnd(Poll poll) {
        for (int seed = 0; seed < SEEDS; seed++) {
            // The detector is off, because it rightly reports a plain get of the flag as a race.
            String script = "order=weak,races=off,seed=" + seed;
            assertThat(SimJob.run(PES, script, world -> sendRight(world, poll)).failures())
                    .as(script)
                    .isEmpty();
        }
    }

    private static void sendRight(World world, Poll poll) {
        int right = (world.pe() + 1) % PES;
        try (SymmetricMemory memory = world.allocate(64);
                Arena arena = Arena.ofConfined()) {
            LongView longs = memory.longs();
            WaitSet set = longs.waitSet(FLAG, 2);
            longs.putNbi(DATA, arena.allocate(16), 0, 2, right);
            world.context().fence();
            longs.setRelease(FLAG, 1, right);
            boolean arrived = false;
            while (!arrived) {
                arrived = poll.holds(world, memory, set);
            }
            world.context().quiet();
        }
    }
}
