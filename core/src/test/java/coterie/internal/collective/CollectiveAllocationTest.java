// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static coterie.testing.AllocationAssertions.assertClean;

import coterie.CustomReduction;
import coterie.DoubleView;
import coterie.IntegerView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What collectives over memory allocate once they are warm, by every algorithm.
@ExtendWith(TestSettings.class)
class CollectiveAllocationTest {
    private static final int PES = 2;
    private static final int RUNS = 200;

    @ParameterizedTest
    @CsvSource({"all, true", "p2p, true", "p2p, false"})
    @DisplayName("repeated calls allocate nothing")
    void calls(String layers, boolean direct) {
        set(Setting.TLS, layers);
        setLoadStore(direct);
        check((team, longs) -> () -> {
            for (int count = 1; count <= 1000; count *= 10) {
                team.allReduce(Reduction.SUM, longs, 0, longs, 4000, count);
                team.broadcast(longs, 0, longs, 4000, count, count & 1);
                team.allGather(longs, 0, longs, 4000, count);
                team.allToAll(longs, 0, longs, 4000, count);
            }
        });
    }

    @Test
    @DisplayName("a call whose first candidate declines, as it does untuned too, allocates nothing")
    void declined() {
        set(Setting.TLS, "p2p");
        set(Setting.TL_P2P_TUNE, "reduce:@knomial:inf");
        set(Setting.TUNE_STRICT, "true");
        check((team, longs) -> {
            DoubleView doubles = longs.memory().doubles();
            return () -> team.allReduce(Reduction.SUM, doubles, 0, doubles, 4000, 1000);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "barrier:@dissemination:inf#allreduce:@knomial:inf"})
    @DisplayName("barriers and numbers allocate nothing, by rounds and by plans")
    void barriers(String tune) {
        set(Setting.TL_P2P_TUNE, tune);
        check((team, longs) -> () -> {
            team.barrier();
            team.sync();
            longs.set(0, team.sum(2L) + team.allReduce(Reduction.MAX, 3L));
            longs.set(1, (long) team.sum(0.5));
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("persistent requests allocate nothing")
    void requests(boolean direct) {
        setLoadStore(direct);
        check((team, longs) -> {
            Request sum = team.prepare(Collective.allReduce(Reduction.SUM)
                    .source(longs, 0, 1000)
                    .target(longs, 1000, 1000)
                    .persistent());
            Request gather = team.prepare(Collective.gather(1)
                    .source(longs, 0, 8)
                    .target(longs, 2000, 8 * PES)
                    .persistent());
            return () -> {
                sum.post();
                gather.post();
                gather.await();
                while (!sum.test()) {
                    gather.isComplete();
                }
            };
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"n", "thresh=0:nfrags=5:pdepth=2:parallel"})
    @DisplayName("persistent requests with a program's own reduction allocate nothing")
    void customReductions(String pipelining) {
        set(Setting.TL_P2P_ALLREDUCE_SRA_PIPELINE, pipelining);
        CustomReduction greatest = new CustomReduction("greatest", Long.BYTES, (target, left, right, count) -> {
            for (long i = 0; i < count; i++) {
                long one = left.getAtIndex(ValueLayout.JAVA_LONG, i);
                target.setAtIndex(ValueLayout.JAVA_LONG, i, Math.max(one, right.getAtIndex(ValueLayout.JAVA_LONG, i)));
            }
        });
        check((team, longs) -> {
            Request request = team.prepare(Collective.allReduce(greatest)
                    .source(longs, 0, 1001)
                    .target(longs, 2000, 1001)
                    .withAlgorithm("sra")
                    .persistent());
            return () -> {
                request.post();
                request.await();
            };
        });
    }

    @Test
    @DisplayName("persistent requests in fragments allocate nothing")
    void fragments() {
        set(Setting.TL_P2P_ALLREDUCE_SRA_PIPELINE, "thresh=0:nfrags=5:pdepth=2:ordered");
        check((team, longs) -> {
            Request sum = team.prepare(Collective.allReduce(Reduction.SUM)
                    .source(longs, 0, 1001)
                    .target(longs, 2000, 1001)
                    .withAlgorithm("sra")
                    .persistent());
            return () -> {
                sum.post();
                sum.await();
            };
        });
    }

    /// What a member repeats on a team with some memory.
    @FunctionalInterface
    private interface Work {
        Runnable on(Team team, IntegerView longs);
    }

    private static void check(Work work) {
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Team team = world.team();
                Runnable each = work.on(team, world.allocate(1 << 16).longs());
                assertClean("collectives", mine -> team.allReduce(Reduction.MAX, mine), () -> {
                    for (int run = 0; run < RUNS; run++) {
                        each.run();
                    }
                });
            });
        }
    }
}
