// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.ElementType;
import coterie.IntegerReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Explanation.Use;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What explanations say of calls and requests, and what these then do.
@ExtendWith(TestSettings.class)
class ExplainTest {
    private static final int PES = 4;

    private static String name(Explanation.Candidate candidate) {
        return candidate.component() + "/" + candidate.algorithm();
    }

    private static Optional<String> selected(Team team, CollectiveType type, long bytes, Use use) {
        return team.explain(type, bytes).selected(use).map(ExplainTest::name);
    }

    private static void assertRequest(World world, CollectiveType type, long bytes, Collective asked) {
        try (Request request = world.team().prepare(asked)) {
            assertThat(request.algorithm())
                    .as("%s of %d bytes", type, bytes)
                    .isEqualTo(selected(world.team(), type, bytes, Use.REQUEST).orElseThrow());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("without operands, too, the algorithm that a request goes by is the first that serves requests")
    void requests(boolean direct) {
        try (LocalJob job = job(PES, direct)) {
            job.run(world -> {
                LongView longs = world.allocate(8L * 2 * PES * 2000).longs();
                int target = PES * 2000;
                assertRequest(world, CollectiveType.BARRIER, 0, Collective.barrier());
                assertRequest(world, CollectiveType.FAN_IN, 0, Collective.fanIn(0));
                for (int count : new int[] {1, 100, 2000}) {
                    long each = 8L * count;
                    long all = PES * each;
                    assertRequest(
                            world,
                            CollectiveType.BROADCAST,
                            each,
                            Collective.broadcast(0).source(longs, 0, count).target(longs, target, count));
                    assertRequest(
                            world,
                            CollectiveType.ALL_GATHER,
                            all,
                            Collective.allGather().source(longs, 0, count).target(longs, target, (long) PES * count));
                    assertRequest(
                            world,
                            CollectiveType.ALL_TO_ALL,
                            all,
                            Collective.allToAll()
                                    .source(longs, 0, (long) PES * count)
                                    .target(longs, target, (long) PES * count));
                    assertRequest(
                            world,
                            CollectiveType.INCLUSIVE_SCAN,
                            each,
                            Collective.inclusiveScan(Reduction.SUM)
                                    .source(longs, 0, count)
                                    .target(longs, target, count));
                }
            });
        }
    }

    @Test
    @DisplayName("no algorithm serves calls of a collective that teams have no method for, and the reason is named")
    void noMethod() {
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Explanation told = world.team().explain(CollectiveType.GATHER, 64);
                assertThat(told.candidates()).isNotEmpty();
                assertThat(told.selected(Use.CALL)).isEmpty();
                assertThat(told.toString()).contains("not for calls: a team has no method for gather");
                assertThat(told.selected(Use.REQUEST)).isPresent();
            });
        }
    }

    @Test
    @DisplayName("calls of blocks of any lengths do not go by plans, whatever the tuning prefers")
    void variable() {
        set(Setting.CL_HIER_TUNE, "allgatherv:inf");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1))) {
            job.run(world -> {
                Explanation told = world.team().explain(CollectiveType.ALL_GATHER_V, 64);
                assertThat(told.candidates().getFirst().component()).isEqualTo("hier");
                assertThat(told.selected(Use.CALL).map(ExplainTest::name)).contains("p2p/push");
                assertThat(told.selected(Use.REQUEST).orElseThrow().component()).isEqualTo("hier");
                assertThat(told.toString()).contains("not for calls: calls of allgatherv work over memory alone");
            });
        }
    }

    @Test
    @DisplayName("calls of a team that synchronizes along a tree do not go by plans")
    void tree() {
        set(Setting.TREE_SYNC_ABOVE, "2");
        set(Setting.TL_P2P_TUNE, "allreduce:@ring:inf");
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Explanation told =
                        world.team().explain(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.LONG, 1 << 16);
                assertThat(name(told.candidates().getFirst())).isEqualTo("p2p/ring");
                assertThat(told.toString()).contains("not for calls: the team synchronizes along a tree");
                assertThat(told.selected(Use.CALL).map(ExplainTest::name)).contains("p2p/partitioned");
                assertThat(told.selected(Use.REQUEST).map(ExplainTest::name)).contains("p2p/ring");
            });
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 100, 1000})
    @DisplayName("with elements it names the algorithm that a request of a reduction goes by")
    void reductions(long count) {
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                LongView longs = world.allocate(Long.BYTES * 2 * count).longs();
                Explanation told = world.team()
                        .explain(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.LONG, Long.BYTES * count);
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(longs, 0, count)
                        .target(longs, count, count);
                try (Request request = world.team().prepare(sum)) {
                    assertThat(request.algorithm())
                            .isEqualTo(name(told.selected(Use.REQUEST).orElseThrow()));
                }
            });
        }
    }

    @Test
    @DisplayName("strict tuning refuses a call that the tuned algorithm can't serve, and explain says why")
    void strict() {
        set(Setting.TL_P2P_TUNE, "allreduce:@ring:inf");
        set(Setting.TUNE_STRICT, "true");
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                Team team = world.team();
                var doubles = world.allocate(16).doubles();
                assertThatThrownBy(() -> team.allReduce(Reduction.SUM, doubles, 1, doubles, 0, 1))
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll(
                                "tuning is strict", "p2p/ring", "in the order of the members", "Team.explain");
                assertThatThrownBy(() -> team.sum(1.0))
                        .as("a number is reduced as vectors are")
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll("tuning is strict", "p2p/ring", "in the order of the members");
                assertThat(team.sum(1L)).isEqualTo(PES);
                Explanation told = team.explain(CollectiveType.ALL_REDUCE, Reduction.SUM, ElementType.DOUBLE, 8);
                assertThat(told.candidates().getFirst().toString()).isEqualTo("p2p/ring inf");
                assertThatThrownBy(
                                () -> team.explain(CollectiveType.REDUCE, IntegerReduction.AND, ElementType.DOUBLE, 8))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("explain on team \"world\", PE " + world.pe()
                                + ": AND is no reduction of DOUBLE; allowed are integers");
                assertThat(told.candidates().getFirst().serves(Use.CALL)).isFalse();
                assertThat(told.selected(Use.CALL).orElseThrow().component()).isEqualTo("mapped");
                assertThat(told.selected(Use.REQUEST).orElseThrow().algorithm()).isEqualTo("knomial");
                LongView longs = doubles.memory().longs();
                longs.set(0, 1);
                team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
                assertThat(longs.get(1)).isEqualTo(PES);
            });
        }
    }
}
