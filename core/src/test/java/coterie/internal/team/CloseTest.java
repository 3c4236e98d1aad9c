// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a close waits for no other PE")
class CloseTest {
    private static final long HEAP = 1 << 20;

    /// Random programs that one job runs.
    private static final int PROGRAMS = 500;

    /// Made by a random program at a random place.
    private static final class Thrown extends RuntimeException {
        private static final long serialVersionUID = 1;

        Thrown(String place) {
            super(place);
        }
    }

    @Test
    @DisplayName("a block that a member has closed serves the others, until all have closed it")
    void serves() {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(64);
                SymmetricMemory signals = world.allocate(64);
                if (world.pe() == 0) {
                    block.close();
                    assertThatThrownBy(block::segment)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("was freed");
                    world.team().barrier();
                } else {
                    world.team().barrier();
                    block.longs().put(0, world.pe(), 0);
                    block.longs().put(world.pe(), world.pe(), 3 - world.pe());
                    assertThat(block.longs().get(0, 0)).isIn(1L, 2L);
                }
                SymmetricMemory other = world.allocate(64);
                assertThat(other.longs().get(0))
                        .as("zeros, since it is another place")
                        .isZero();
                world.team().barrier();
                block.close();
                signals.close();
                other.close();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 63, 64, 65, 200})
    @DisplayName("blocks that members close in different orders are free for the next ones, at the same places")
    void orders(int blocks) {
        try (LocalJob job = LocalJob.withHeap(3, HEAP)) {
            job.run(world -> {
                for (int round = 0; round < 8; round++) {
                    List<SymmetricMemory> made = new ArrayList<>();
                    for (int each = 0; each < blocks; each++) {
                        made.add(world.allocate(HEAP / 256));
                    }
                    assertThat(world.team().sum(world.heapStatistics().largestFreeBytes()))
                            .isEqualTo(3 * world.heapStatistics().largestFreeBytes());
                    Collections.shuffle(made, new Random(world.pe() * 31L + round));
                    made.forEach(SymmetricMemory::close);
                }
                SymmetricMemory most = world.allocate(HEAP);
                most.free();
                assertThat(world.heapStatistics().usedBytes()).isZero();
            });
        }
    }

    @Test
    @DisplayName("where the heap is full, each member names the block that another one has not closed")
    void full() {
        try (LocalJob job = LocalJob.withHeap(2, HEAP)) {
            job.run(world -> {
                SymmetricMemory block = world.allocate(HEAP / 2);
                if (world.pe() == 0) {
                    block.close();
                }
                assertThatThrownBy(() -> world.allocate(HEAP))
                        .isInstanceOf(SymmetricMemoryException.class)
                        .hasMessageContaining(world.pe() == 0 ? block + ", which PE 1 has not closed" : "PE 0 can't");
                block.close();
                world.allocate(HEAP).close();
            });
        }
    }

    @Test
    @DisplayName("a team's memory is free for other teams when all members have closed it, in any order")
    void teams() {
        try (LocalJob job = LocalJob.withHeap(3, HEAP)) {
            job.run(world -> {
                for (int round = 0; round < 100; round++) {
                    Team first = world.team().duplicate();
                    Team second = world.team().duplicate();
                    first.allocate(HEAP / 4);
                    second.allocate(HEAP / 4);
                    second.sum(1L);
                    (world.pe() == 1 ? first : second).close();
                    (world.pe() == 1 ? second : first).close();
                }
                world.allocate(HEAP).free();
                assertThat(LocalJob.teams(world).area().blocks()).isZero();
            });
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    @DisplayName("a collective in which members wait for one that has closed the team throws, and names it")
    void misses(int closer) {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                for (int call = 0; call < 4; call++) {
                    Team team = world.team().duplicate();
                    team.barrier();
                    if (world.pe() != closer) {
                        int which = call;
                        assertThatThrownBy(() -> call(team, which))
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContaining("PE " + closer + " close of the team");
                    }
                    team.close();
                    team.close();
                    assertThat(team.isValid()).isFalse();
                }
            });
        }
    }

    private static void call(Team team, int which) {
        switch (which) {
            case 0 -> team.barrier();
            case 1 -> team.sum(1L);
            case 2 -> team.syncLiving();
            default -> team.duplicate();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a member that posts a request after the others' has failed, and they have closed, gets their reason")
    void late(boolean hasCompleted) {
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                SymmetricMemory words = world.allocate(16);
                Team team = world.team().duplicate();
                if (hasCompleted) {
                    complete(team, Collective.barrier());
                }
                if (world.pe() == 1) {
                    words.longs().waitUntil(0, Comparison.EQ, 2); // the others have closed the team
                }
                Collective mine = world.pe() == 2
                        ? Collective.broadcast(0).source(words.longs(), 1, 1).target(words.longs(), 1, 1)
                        : Collective.barrier();
                assertThatThrownBy(() -> complete(team, mine))
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll("barrier #", "broadcast #");
                team.close();
                if (world.pe() != 1) {
                    words.longs().add(0, 1, 1);
                }
                world.team().barrier();
            });
        }
    }

    private static void complete(Team team, Collective collective) {
        try (Request request = team.prepare(collective)) {
            request.post();
            request.await();
        }
    }

    @Test
    @DisplayName("an exception leaves nested blocks on its member at once, whatever the others wait for")
    void leaves() {
        try (LocalJob job = new LocalJob(3)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                try (Team team = world.team().duplicate();
                        SymmetricMemory ofTeam = team.allocate(64);
                        SymmetricMemory ofWorld = world.allocate(64)) {
                    if (world.pe() == 1) {
                        throw new Thrown("inside");
                    }
                    team.barrier();
                    ofTeam.longs().put(0, ofWorld.byteSize(), 0);
                }
            });
            assertThat(failures.get(1)).isInstanceOf(Thrown.class).hasNoSuppressedExceptions();
            assertThat(failures.get(0)).isInstanceOf(CoterieException.class);
            assertThat(failures.get(2)).isInstanceOf(CoterieException.class);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    @DisplayName(
            "random programs that throw inside nested blocks end on all members, with the exception or its consequence")
    void programs(int seed) {
        run(seed, PROGRAMS / 3);
    }

    @Test
    @Tag("soak")
    @DisplayName("so do thousands of them")
    void manyPrograms() {
        run(4, 4000); // the memory of each stays mapped, and a process may have 65,530 maps
    }

    static void run(int seed, int programs) {
        Random seeds = new Random(seed);
        for (int program = 0; program < programs; program++) {
            long own = seeds.nextLong();
            int size = 2 + seeds.nextInt(3);
            int thrower = seeds.nextInt(size);
            int at = seeds.nextInt(12);
            try (LocalJob job = LocalJob.withHeap(size, HEAP)) {
                Map<Integer, Throwable> failures = job.failures(world -> {
                    nest(world, world.team(), new Random(own), 0, world.pe() == thrower ? at : Integer.MAX_VALUE);
                    throw new Thrown("at the end");
                });
                assertThat(failures).as("seed %s", own).hasSize(size);
                failures.forEach((pe, thrown) -> assertThat(thrown)
                        .as("seed %s, PE %s", own, pe)
                        .isInstanceOfAny(Thrown.class, CoterieException.class));
            }
        }
    }

    /// Opens a block for something, uses it, and goes on inside; returns how many steps have been done.
    private static int nest(World world, Team team, Random random, int done, int last) {
        if (done >= last) {
            throw new Thrown("step " + done);
        }
        if (done == 12) {
            return done;
        }
        int kind = random.nextInt(3);
        long bytes = 64L * (1 + random.nextInt(20));
        if (kind == 0) {
            try (Team made = team.duplicate()) {
                made.barrier();
                return nest(world, random.nextBoolean() ? made : team, random, done + 1, last);
            }
        }
        try (SymmetricMemory block = kind == 1 ? team.allocate(bytes) : world.allocate(bytes)) {
            block.longs().put(0, 7, 0);
            if (random.nextBoolean()) {
                team.sum(1L);
            }
            return nest(world, team, random, done + 1, last);
        }
    }
}
