// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;

/// Random programs of which one member throws at a random place inside nested blocks. Each block is closed on the way
/// out, while the other members wait in a collective of its team or put to its memory.
class ThrowingProgramsConformanceTest {
    private static final int STEPS = 12;
    private static final int PROGRAMS = 100;
    private static final int MANY = 500;

    /// Made by a program at a random place.
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown(String place) {
            super(place);
        }
    }

    @SpmdTest(
            pes = {2, 3, 4},
            heapBytes = 1 << 20,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "programs that throw inside nested blocks of memory and teams end on all members, with the exception or"
                    + " its consequence, and what they had is free for the next ones")
    void programs(World world) {
        Random seeds = new Random(world.size());
        int programs = Rounds.of(PROGRAMS, MANY);
        for (int program = 0; program < programs; program++) {
            long seed = seeds.nextLong();
            int thrower = seeds.nextInt(world.size());
            int at = seeds.nextInt(STEPS);
            int last = world.pe() == thrower ? at : Integer.MAX_VALUE;
            Throwable caught = catchThrowable(() -> {
                try (Team outer = world.team().duplicate();
                        SymmetricMemory ofOuter = outer.allocate(64)) {
                    ofOuter.longs().put(0, 1, 0);
                    nest(outer, outer, new Random(seed), 0, last);
                    throw new Thrown("at the end");
                }
            });
            assertThat(caught)
                    .as("seed %s, PE %s", seed, world.pe())
                    .isInstanceOfAny(Thrown.class, CoterieException.class)
                    .hasNoSuppressedExceptions();
            world.team().barrier();
        }
        world.allocate((1 << 20) - 4096).free();
        assertThat(world.heapStatistics().usedBytes()).isZero();
    }

    /// Opens a block for something, uses it, and goes on inside.
    private static void nest(Team outer, Team team, Random random, int done, int last) {
        if (done >= last) {
            throw new Thrown("step " + done);
        }
        if (done == STEPS) {
            return;
        }
        long bytes = 64L * (1 + random.nextInt(20));
        switch (random.nextInt(3)) {
            case 0 -> {
                try (Team made = team.duplicate()) {
                    made.barrier();
                    nest(outer, random.nextBoolean() ? made : team, random, done + 1, last);
                }
            }
            case 1 -> within(outer, team, team.allocate(bytes), random, done, last);
            default -> within(outer, team, outer.allocate(bytes), random, done, last);
        }
    }

    private static void within(Team outer, Team team, SymmetricMemory made, Random random, int done, int last) {
        try (SymmetricMemory block = made) {
            block.longs().put(0, 7, 0);
            if (random.nextBoolean()) {
                team.sum(1L);
            }
            nest(outer, team, random, done + 1, last);
        }
    }
}
