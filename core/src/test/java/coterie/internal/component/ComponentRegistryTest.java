// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.internal.world.TestSettings.job;
import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.DoubleView;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.collective.Request;
import coterie.internal.collective.DataCollectives;
import coterie.internal.plan.Algorithms;
import coterie.internal.score.ScoreMap;
import coterie.internal.team.TeamSyncs;
import coterie.internal.wait.OperationKind;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import coterie.spi.ReductionKind;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which algorithm serves each collective, and that each candidate gives the right result.
@ExtendWith(TestSettings.class)
class ComponentRegistryTest {
    private static final int PES = 3;

    /// Names the layer and the algorithm that the selection puts first.
    static String chosen(Team team, CollectiveType collective, long bytes) {
        Explanation.Candidate first =
                team.explain(collective, bytes).candidates().getFirst();
        return first.component() + "/" + first.algorithm();
    }

    @ParameterizedTest
    @CsvSource({
        "true, BROADCAST, 48, mapped/oneway",
        "true, BROADCAST, 49, mapped/oneway",
        "true, ALL_GATHER, 144, mapped/inline",
        "true, ALL_GATHER, 145, mapped/bounce",
        "true, ALL_GATHER, 12288, mapped/bounce",
        "true, ALL_GATHER, 12289, mapped/push",
        "true, ALL_TO_ALL, 8192, mapped/bounce",
        "true, ALL_TO_ALL, 8193, mapped/pull",
        "true, REDUCE_SCATTER, 49, mapped/bounce",
        "true, REDUCE_SCATTER, 2730, mapped/bounce",
        "true, REDUCE_SCATTER, 2731, mapped/partitioned",
        "true, ALL_GATHER_V, 8, mapped/push",
        "true, ALL_REDUCE, 49, mapped/bounce",
        "true, ALL_REDUCE, 4096, mapped/bounce",
        "true, ALL_REDUCE, 4097, mapped/partitioned",
        "false, BROADCAST, 48, p2p/inline",
        "false, BROADCAST, 49, p2p/knomial",
        "false, ALL_TO_ALL, 8, p2p/bruck",
        "false, ALL_REDUCE, 49, p2p/knomial",
        "false, ALL_REDUCE, 4096, p2p/sra"
    })
    @DisplayName("the table names the server of each collective, on members with and without loads and stores")
    void selection(boolean direct, CollectiveType collective, long bytes, String expected) {
        try (LocalJob job = job(PES, direct)) {
            job.run(world -> assertThat(chosen(world.team(), collective, bytes)).isEqualTo(expected));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "inf",
                "bcast:@push#allgather:@push#alltoall:@push#allgatherv:@push",
                "bcast,allgather,allgatherv,alltoall:@pull#allreduce,reduce_scatter,inclusive_scan,exclusive_scan:@partitioned",
                "0",
                "allreduce,bcast,allgather:0-64k:@inline"
            })
    @DisplayName("whatever the settings select in the mapped layer, every collective is right, at every size")
    void everyWayIsRight(String tune) {
        set(Setting.TL_MAPPED_TUNE, tune);
        for (boolean direct : new boolean[] {true, false}) {
            try (LocalJob job = job(PES, direct)) {
                job.run(world -> {
                    for (int count : new int[] {0, 1, 2, 6, 7, 8, 60, 130, 512, 1000}) {
                        checkAll(world, count);
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"true, alltoall:@pull:inf, mapped/pull", "true, alltoall:@push:inf, mapped/push", "false, '', p2p/push"
    })
    @DisplayName("UC-28 an alltoall by gets and by puts, over loads and stores and over the conduit, at every size")
    void oneSided(boolean direct, String tune, String expected) {
        setLoadStore(direct);
        set(Setting.TL_MAPPED_TUNE, tune);
        set(Setting.TL_P2P_TUNE, direct ? "" : "alltoall:@push:inf");
        for (int pes : new int[] {2, 5}) {
            try (LocalJob job = new LocalJob(pes)) {
                job.run(world -> {
                    for (int count : new int[] {1, 7, 600, 40_000}) {
                        assertThat(chosen(world.team(), CollectiveType.ALL_TO_ALL, 8L * count * pes))
                                .isEqualTo(expected);
                        checkAll(world, count);
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a team of one serves itself, in every collective")
    void self(boolean direct) {
        try (LocalJob job = job(1, direct)) {
            job.run(world -> {
                assertThat(chosen(world.team(), CollectiveType.ALL_REDUCE, 8)).isEqualTo("self/copy");
                for (int count : new int[] {0, 1, 1000}) {
                    checkAll(world, count);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("a team of one needs no other layer, nor do its requests")
    void selfAlone(boolean direct) {
        setLoadStore(direct);
        set(Setting.TLS, "self");
        long[] one = {1};
        long[] place = {5};
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> {
                Team team = world.team();
                DoubleView doubles = world.allocate(64).doubles();
                team.exclusiveScan(Reduction.SUM, doubles, 1, doubles, 0, 1);
                team.inclusiveScan(Reduction.SUM, doubles, 1, doubles, 0, 1);
                team.barrier();
                for (Collective each : List.of(
                        Collective.barrier(),
                        Collective.fanIn(0),
                        Collective.fanOut(0),
                        Collective.broadcast(0).source(doubles, 0, 1).target(doubles, 5, 1),
                        Collective.allReduce(Reduction.SUM)
                                .source(doubles, 0, 1)
                                .target(doubles, 5, 1),
                        Collective.reduce(Reduction.SUM, 0)
                                .source(doubles, 0, 1)
                                .target(doubles, 5, 1),
                        Collective.inclusiveScan(Reduction.SUM)
                                .source(doubles, 0, 1)
                                .target(doubles, 5, 1),
                        Collective.reduceScatter(Reduction.SUM)
                                .source(doubles, 0, 1)
                                .target(doubles, 5, 1),
                        Collective.reduceScatterV(Reduction.SUM)
                                .source(doubles, one, new long[1])
                                .target(doubles, 5, 1),
                        Collective.allGather().source(doubles, 0, 1).target(doubles, 5, 1),
                        Collective.allGatherV().source(doubles, 0, 1).target(doubles, one, place),
                        Collective.gather(0).source(doubles, 0, 1).target(doubles, 5, 1),
                        Collective.gatherV(0).source(doubles, 0, 1).target(doubles, one, place),
                        Collective.scatter(0).source(doubles, 0, 1).target(doubles, 5, 1),
                        Collective.scatterV(0).source(doubles, one, new long[1]).target(doubles, 5, 1),
                        Collective.allToAll().source(doubles, 0, 1).target(doubles, 5, 1),
                        Collective.allToAllV().source(doubles, one, new long[1]).target(doubles, one, place))) {
                    doubles.set(0, 2.5);
                    doubles.set(5, 0);
                    try (Request request = team.prepare(each)) {
                        assertThat(request.algorithm()).isEqualTo("self/alone");
                        request.post();
                        request.await();
                    }
                    boolean moves = each.source().isPresent();
                    assertThat(doubles.get(5)).as("%s", each).isEqualTo(moves ? 2.5 : 0);
                }
            });
        }
    }

    @Test
    @DisplayName("in the tables as they are built, barriers and numbers use rounds on every topology")
    void roundsAreFirst() {
        ComponentRegistry asBuilt = Registries.of("all", Map.of());
        assertThat(asBuilt.areAsBuilt()).isTrue();
        for (int size : new int[] {1, 2, 3, 8, 100}) {
            for (boolean direct : new boolean[] {true, false}) {
                for (boolean flat : new boolean[] {true, false}) {
                    for (int nodes : new int[] {1, 2, size}) {
                        TeamTopology topology = TeamTopology.of(size, member -> member % nodes, direct, flat);
                        ScoreMap<CollectiveAlgorithm> scoreMap = asBuilt.scoreMap(topology);
                        assertThat(first(scoreMap, CollectiveType.BARRIER, 0))
                                .as("%s", topology)
                                .isEqualTo(CollectiveAlgorithm.Native.ROUND);
                        assertThat(first(scoreMap, CollectiveType.ALL_REDUCE, Long.BYTES))
                                .as("%s", topology)
                                .isInstanceOf(CollectiveAlgorithm.Native.class);
                    }
                }
            }
        }
    }

    private static CollectiveAlgorithm first(ScoreMap<CollectiveAlgorithm> scoreMap, CollectiveType type, long bytes) {
        return Objects.requireNonNull(scoreMap.find(type, MemoryType.HOST, bytes))
                .algorithm()
                .factory();
    }

    private static Stream<Arguments> algorithms() {
        return Arrays.stream(CollectiveType.values())
                .filter(CollectiveAlgorithm::isCalledByPlans)
                .flatMap(type -> Algorithms.table().algorithms(type).stream()
                        .flatMap(each -> Stream.of(true, false)
                                .map(direct -> Arguments.of(type.label() + ":@" + each.algorithm(), direct))));
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    @DisplayName("every algorithm of p2p is right, or declines, through the public API")
    void everyAlgorithmIsRight(String tune, boolean direct) {
        set(Setting.TLS, "p2p");
        set(Setting.TL_P2P_TUNE, tune);
        setLoadStore(direct);
        for (int pes : new int[] {1, 2, 5}) {
            try (LocalJob job = new LocalJob(pes)) {
                job.run(world -> {
                    for (int count : new int[] {0, 1, 7, 600, 7}) {
                        checkAll(world, count);
                    }
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'0 0 1 1', '', allreduce, 1000, hier/rab",
        "'0 0 1 1', allreduce:@split_rail:inf, allreduce, 100000, hier/split_rail",
        "'0 1 0 1 2', alltoall:@node_split:inf, alltoall, 5000, hier/node_split",
        "'0 0 0 1', '', bcast, 1000, hier/2step",
        "'0 0 1 1', '', bcast, 8, p2p/inline",
        "'0 0 0', '', bcast, 1000, mapped/oneway",
        "'0 1 2', '', bcast, 1000, p2p/knomial"
    })
    @DisplayName("hierarchies serve members on several nodes, and results are right")
    void hierarchies(String nodes, String tune, String collective, long bytes, String expected) {
        set(Setting.CL_HIER_TUNE, tune);
        List<Integer> each = Stream.of(nodes.split(" ")).map(Integer::valueOf).toList();
        try (LocalJob job = LocalJob.onNodes(each)) {
            job.run(world -> {
                CollectiveType type = CollectiveType.named(collective).orElseThrow();
                assertThat(chosen(world.team(), type, bytes)).isEqualTo(expected);
                for (int count : new int[] {0, 1, 60, 400, 1000}) {
                    checkAll(world, count);
                }
            });
        }
    }

    private static void checkAll(World world, int count) {
        int me = world.pe();
        int n = world.size();
        int blocks = count * n;
        Team team = world.team();
        LongView target = world.allocate(8L * Math.max(1, blocks)).longs();
        LongView source = world.allocate(8L * Math.max(1, blocks)).longs();
        for (int i = 0; i < blocks; i++) {
            source.set(i, value(me, i));
        }
        team.barrier();
        team.broadcast(target, 0, source, 0, count, n - 1);
        assertThat(read(target, count))
                .isEqualTo(LongStream.range(0, count)
                        .map(i -> value(n - 1, i))
                        .boxed()
                        .toList());
        team.barrier();
        team.allReduce(Reduction.SUM, target, 0, source, 0, count);
        assertThat(read(target, count)).isEqualTo(sums(n, 0, count));
        team.barrier();
        team.inclusiveScan(Reduction.SUM, target, 0, source, 0, count);
        assertThat(read(target, count)).isEqualTo(sums(me + 1, 0, count));
        team.barrier();
        team.exclusiveScan(Reduction.SUM, target, 0, source, 0, count);
        assertThat(read(target, count)).isEqualTo(sums(me, 0, count));
        team.barrier();
        team.reduceScatter(Reduction.SUM, target, 0, source, 0, count);
        assertThat(read(target, count)).isEqualTo(sums(n, (long) me * count, count));
        team.barrier();
        team.allGather(target, 0, source, 0, count);
        assertThat(read(target, blocks))
                .isEqualTo(LongStream.range(0, blocks)
                        .map(i -> value((int) i / count, i % count))
                        .boxed()
                        .toList());
        team.barrier();
        team.allToAll(target, 0, source, 0, count);
        assertThat(read(target, blocks))
                .isEqualTo(LongStream.range(0, blocks)
                        .map(i -> value((int) i / count, (long) me * count + i % count))
                        .boxed()
                        .toList());
        team.barrier();
        team.allGatherV(target, 0, source, 0, me == n - 1 ? 0 : count);
        assertThat(read(target, (n - 1) * count))
                .isEqualTo(LongStream.range(0, (n - 1L) * count)
                        .map(i -> value((int) i / count, i % count))
                        .boxed()
                        .toList());
        team.barrier();
        target.memory().close();
        source.memory().close();
    }

    private static long value(int pe, long i) {
        return 1000L * (pe + 1) + i;
    }

    private static List<Long> sums(int members, long from, int count) {
        return LongStream.range(from, from + count)
                .map(i -> LongStream.range(0, members)
                        .map(pe -> value((int) pe, i))
                        .sum())
                .boxed()
                .toList();
    }

    private static List<Long> read(IntegerView longs, int count) {
        return LongStream.range(0, count).map(longs::get).boxed().toList();
    }

    @Test
    @DisplayName("a layer that is left out serves nothing, and if no layer is left, the collective throws an error")
    void layersAreLeftOut() {
        set(Setting.TLS, "^mapped");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> assertThat(chosen(world.team(), CollectiveType.BROADCAST, 8))
                    .isEqualTo("p2p/inline"));
        }
        set(Setting.TL_P2P_TUNE, "bcast:0");
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                LongView longs = world.allocate(64).longs();
                assertThat(world.team().explain(CollectiveType.BROADCAST, 8).candidates())
                        .isEmpty();
                assertThatThrownBy(() -> world.team().broadcast(longs, 0, longs, 0, 1, 0))
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                "broadcast on team \"world\", PE " + world.pe() + ": no layer serves bcast");
                assertThat(world.team().sum(1L)).as("every member went on").isEqualTo(2);
            });
        }
    }

    @Test
    @DisplayName("members with different selections throw the mismatch, in whichever collective they meet")
    void selectionsMustBeEqual() {
        try (LocalJob job = new LocalJob(3)) {
            job.failures(world -> {
                        LongView longs = world.allocate(64).longs();
                        String tune = world.pe() == 1 ? "bcast:7" : "";
                        ComponentRegistry registry = Registries.of("all", Map.of("mapped", tune));
                        DataCollectives data = TeamSyncs.collectives(world, world.team(), registry);
                        assertThatThrownBy(() ->
                                        data.reduce(OperationKind.ALL_REDUCE, ReductionKind.SUM, longs, 0, longs, 0, 1))
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContainingAll(
                                        "allReduce #3 on team \"world\", PE " + world.pe(),
                                        "members disagree on the selection of algorithms",
                                        "on PEs [0, 2], ",
                                        "on PEs [1]");
                        assertThatThrownBy(() -> world.team().sum(1L)).isInstanceOf(CollectiveMismatchException.class);
                    })
                    .forEach((pe, thrown) -> {
                        throw new AssertionError("PE " + pe, thrown);
                    });
        }
    }

    @ParameterizedTest
    @CsvSource({
        "allreduce:@inline:200, ALL_REDUCE, 8, mapped/inline",
        "allreduce:@inline:200, ALL_REDUCE, 8192, mapped/partitioned",
        "alltoall:@bounce:200, ALL_TO_ALL, 8193, mapped/pull"
    })
    @DisplayName("an algorithm that settings select is named for the sizes that it can serve")
    void waysHaveLimits(String tune, CollectiveType collective, long bytes, String expected) {
        set(Setting.TL_MAPPED_TUNE, tune);
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                assertThat(chosen(world.team(), collective, bytes)).isEqualTo(expected);
                checkAll(world, (int) bytes / 8);
            });
        }
    }

    @Test
    @DisplayName("an explanation is of a collective")
    @SuppressWarnings("NullAway") // what programs without such checks do
    void explanationOfNothing() {
        try (LocalJob job = new LocalJob(1)) {
            job.run(world -> assertThatNullPointerException()
                    .isThrownBy(() -> world.team().explain(null, 0))
                    .withMessage("explain on team \"world\", PE 0: collective is null"));
        }
    }
}
