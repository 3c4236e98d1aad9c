// SPDX-License-Identifier: Apache-2.0
package coterie.sim.race;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.DoubleView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.sim.RaceException;
import coterie.sim.SimJob;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Copies of a PE's own elements from and to arrays, and the collectives that go by them.
class OwnCopyRaceTest {
    private static final String STAGING = "coterie.staging.kib";

    @BeforeEach
    void inPieces() {
        System.setProperty(STAGING, "1");
    }

    @AfterEach
    void asUsual() {
        System.clearProperty(STAGING);
    }

    @Test
    void ownElementsNeedNoPut() {
        assertThat(SimJob.run(2, "", world -> {
                            try (SymmetricMemory memory = world.allocate(64)) {
                                LongView words = memory.longs();
                                long[] mine = {world.pe(), 7};
                                words.set(2, mine, 0, 2);
                                words.get(2, mine, 0, 2);
                                world.team().barrier();
                                assertThat(words.get(2, 1 - world.pe())).isEqualTo(1 - world.pe());
                                world.team().barrier();
                            }
                        })
                        .failures())
                .isEmpty();
    }

    @Test
    void whatAnotherPePutsRacesWithTheCopy() {
        Map<Integer, Throwable> failures = SimJob.run(2, "", world -> {
                    try (SymmetricMemory memory = world.allocate(64)) {
                        DoubleView doubles = memory.doubles();
                        if (world.pe() == 0) {
                            doubles.put(3, 42, 1);
                            doubles.context().quiet();
                        }
                        world.team().allReduce(Reduction.SUM, 1L);
                        if (world.pe() == 1) {
                            doubles.get(0, new double[4], 0, 4);
                        }
                    }
                })
                .failures();
        assertThat(failures).as("a quiet before it does").isEmpty();
        assertThat(SimJob.run(2, "", world -> {
                            try (SymmetricMemory memory = world.allocate(64)) {
                                DoubleView doubles = memory.doubles();
                                if (world.pe() == 0) {
                                    doubles.put(3, 42, 1);
                                }
                                world.team().allReduce(Reduction.SUM, 1L);
                                if (world.pe() == 1) {
                                    doubles.get(0, new double[4], 0, 4);
                                }
                            }
                        })
                        .failures()
                        .get(1))
                .isInstanceOf(RaceException.class);
    }

    @Test
    void collectivesOnArraysDoNotRace() {
        assertThat(SimJob.run(3, "", world -> {
                            Team team = world.team();
                            for (int round = 0; round < 3; round++) {
                                check(team, round);
                            }
                        })
                        .failures())
                .isEmpty();
    }

    private static void check(Team team, int round) {
        int n = team.size();
        int me = team.member();
        int root = round % n;
        int[] values = new int[300];
        Arrays.fill(values, me + 1);
        team.allReduce(Reduction.SUM, values);
        assertThat(values).containsOnly(6);
        Arrays.fill(values, me + 1);
        team.broadcast(values, root);
        assertThat(values).containsOnly(root + 1);
        Arrays.fill(values, me + 1);
        team.reduce(Reduction.MAX, values, root);
        assertThat(values).containsOnly(me == root ? 3 : me + 1);
        int[] all = new int[n * values.length];
        Arrays.fill(values, me + 1);
        team.gather(me == root ? all : null, values, root);
        team.scatter(values, me == root ? all : null, root);
        assertThat(values).containsOnly(me + 1);
        team.allGather(all, values);
        team.allToAll(all, all);
        assertThat(all).containsOnly(me + 1);
        team.reduceScatter(Reduction.SUM, values, all);
        assertThat(values).containsOnly(6);
    }
}
