// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import coterie.internal.world.LocalJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Collective layers whose groups transport layers serve that plug in.
class StackedLayersTest extends HallCase {
    private static final List<Integer> NODES = List.of(0, 0, 1, 1, 2);

    @BeforeEach
    void plugInBoth() {
        plugged.close();
        plugged = Plugged.in(folder, List.of(HallLayer.class, RungLayer.class));
        Plugged.set("coterie.cl.rung.tune=0");
        HallLayer.SERVED.clear();
    }

    private static void run(List<Integer> nodes, LocalJob.Body body) {
        HallLayer.OPEN.set(0);
        try (LocalJob job = LocalJob.onNodes(nodes)) {
            job.run(body);
        }
        assertThat(HallLayer.OPEN).hasValue(0);
    }

    private static Map<Integer, Throwable> failures(List<Integer> nodes, LocalJob.Body body) {
        try (LocalJob job = LocalJob.onNodes(nodes)) {
            return job.failures(body);
        }
    }

    private static List<String> groups(World world, CollectiveType type, String component) {
        return world.team().explain(type, 8).candidates().stream()
                .filter(each -> each.component().equals(component))
                .flatMap(each -> each.groups().stream())
                .map(Explanation.Group::toString)
                .toList();
    }

    /// Sums of calls and of persistent requests, in place and not, again and again.
    private static void assertSums(World world) {
        int n = world.size();
        LongView longs = world.allocate(8 * 64).longs();
        for (int round = 0; round < 5; round++) {
            longs.set(round, world.pe() + 1L + round);
            world.team().allReduce(Reduction.SUM, longs, 32 + round, longs, round, 1);
            assertThat(longs.get(32 + round)).isEqualTo(n * (n + 1) / 2 + (long) n * round);
        }
        try (Request sum = world.team()
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, 10, 3)
                                .target(longs, 10, 3)
                                .persistent());
                Request other = world.team()
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, 20, 1)
                                .target(longs, 21, 1)
                                .persistent())) {
            for (int round = 0; round < 5; round++) {
                longs.set(10, round);
                longs.set(12, world.pe());
                longs.set(20, 1);
                sum.post();
                other.post();
                other.await();
                sum.await();
                assertThat(longs.get(10)).isEqualTo((long) n * round);
                assertThat(longs.get(12)).isEqualTo(n * (n - 1) / 2);
                assertThat(longs.get(21)).isEqualTo(n);
            }
        }
    }

    @Test
    @DisplayName("a layer that plugs in serves hier's leaders, in calls and requests, and explain shows each level")
    void leaders() {
        Plugged.set("coterie.cl.hier.tune=allreduce:@rab:inf");
        run(NODES, world -> {
            assertSums(world);
            String leaders = "NODE_LEADERS of 3: allreduce by hall/shout";
            assertThat(groups(world, CollectiveType.ALL_REDUCE, "hier"))
                    .containsExactlyElementsOf(
                            switch (world.pe()) {
                                case 0, 2 ->
                                    List.of(
                                            "NODE of 2: reduce by p2p/knomial",
                                            leaders,
                                            "NODE of 2: bcast by p2p/knomial");
                                case 4 -> List.of(leaders);
                                default ->
                                    List.of("NODE of 2: reduce by p2p/knomial", "NODE of 2: bcast by p2p/knomial");
                            });
        });
        assertThat(HallLayer.SERVED).containsExactly("world, hier NODE_LEADERS");
    }

    @Test
    @DisplayName("a group's size decides whether a layer serves it, and the rails of split_rail are groups of 2")
    void rails() {
        Plugged.set("coterie.cl.hier.tune=allreduce:@split_rail:inf", "coterie.tl.hall.most=2");
        run(List.of(0, 0, 1, 1), world -> {
            assertSums(world);
            assertThat(groups(world, CollectiveType.ALL_REDUCE, "hier")).contains("NET of 2: allreduce by hall/shout");
        });
        assertThat(HallLayer.SERVED).containsExactly("world, hier NET");
    }

    @ParameterizedTest
    @CsvSource({
        "coterie.cl.hier.node.leaders.sbgp.tls, p2p",
        "coterie.cl.hier.tls, ^hall",
        "coterie.tls, ^hall",
        "coterie.tl.hall.tune, allreduce:[3]:5",
        "coterie.tl.hall.fault, decline",
        "coterie.tl.hall.most, 2",
    })
    @DisplayName("where settings, scores or the layer itself have it otherwise, plans serve the leaders")
    void withoutIt(String setting, String value) {
        Plugged.set("coterie.cl.hier.tune=allreduce:@rab:inf", setting + "=" + value);
        run(NODES, StackedLayersTest::assertSums);
        assertThat(HallLayer.SERVED).isEmpty();
    }

    @Test
    @DisplayName("a layer that only the list of a level admits serves the level, and no team")
    void levelAlone() {
        Plugged.set(
                "coterie.cl.hier.tune=allreduce:@rab:inf",
                "coterie.tls=^hall",
                "coterie.cl.hier.node.leaders.sbgp.tls=hall,p2p");
        run(NODES, world -> {
            assertSums(world);
            assertThat(world.team().explain(CollectiveType.ALL_REDUCE, 8).toString())
                    .doesNotContain("  hall/");
            assertThat(groups(world, CollectiveType.ALL_REDUCE, "hier")
                            .contains("NODE_LEADERS of 3: allreduce by hall/shout"))
                    .isEqualTo(world.pe() % 2 == 0);
            world.team().barrier();
        });
        assertThat(HallLayer.SERVED).containsExactly("world, hier NODE_LEADERS");
    }

    @Test
    @DisplayName("a level whose list has no layer for an operation ends the join, which names level and operation")
    void refusedAtJoin() {
        Plugged.set("coterie.cl.hier.node.leaders.sbgp.tls=hall");
        assertThat(failures(NODES, World::close))
                .hasSize(NODES.size())
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(
                                "setting CL_HIER_NODE_LEADERS_SBGP_TLS",
                                "bcast of node_leaders groups for bcast by hier/2step")
                        .hasMessageNotContaining("allreduce of"));
        Plugged.set("coterie.cl.hier.tune=bcast:0#reduce:0#allgatherv:0");
        run(NODES, StackedLayersTest::assertSums);
    }

    @Test
    @DisplayName("a list of layers for teams that serves no broadcast ends the join, which names the operations")
    void teamsRefusedAtJoin() {
        Plugged.set("coterie.tls=hall");
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(
                                "setting TLS (from coterie.tls)", "no layer of its list serves allgather", "bcast")
                        .hasMessageNotContaining("allreduce"));
    }

    @Test
    @DisplayName("a list of layers that serves some requests has a remark at the join, which names the others")
    void requestsWithoutLayer() {
        Plugged.set("coterie.tls=mapped");
        try (Logged logged = new Logged()) {
            run(PES, world -> assertSum(world.team(), world.allocate(16).longs()));
            assertThat(logged.messages())
                    .filteredOn(line -> line.contains("Team.prepare"))
                    .singleElement()
                    .asString()
                    .startsWith("setting TLS (from coterie.tls): no layer of its list serves requests (Team.prepare)"
                            + " for barrier, fanin, fanout, alltoallv, reduce_scatterv, gatherv, scatterv; ");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"post@2", "progress@2"})
    @DisplayName("a failure among the leaders reaches all members: the one of the failure names layer and group")
    void fails(String fault) {
        Plugged.set("coterie.cl.hier.tune=allreduce:@rab:inf", "coterie.tl.hall.fault=" + fault);
        assertThat(failures(NODES, world -> {
                    LongView longs = world.allocate(16).longs();
                    try (Team team = world.team().duplicate()) {
                        assertThatThrownBy(() -> {
                                    while (true) {
                                        assertSum(team, longs);
                                    }
                                })
                                .isInstanceOf(CoterieException.class)
                                .hasMessageContainingAll(
                                        world.pe() == 2
                                                ? new String[] {
                                                    "layer \"hall\"",
                                                    "failed in allreduce by shout on team",
                                                    "hier NODE_LEADERS\", PE 2: java.lang.IllegalStateException"
                                                }
                                                : new String[] {"PE 2 ", ": layer hall: IllegalStateException: "});
                    }
                }))
                .isEmpty();
    }

    @Test
    @DisplayName("a collective layer that plugs in declares levels, and stands on whatever serves them")
    void declaredLevels() {
        Plugged.set("coterie.cl.rung.tune=600", "coterie.cl.rung.pair.sbgp.tls=p2p");
        run(List.of(0, 0, 0, 0, 0), world -> {
            assertSums(world);
            assertThat(groups(world, CollectiveType.ALL_REDUCE, "rung"))
                    .contains("FULL of 5: allreduce by hall/shout")
                    .satisfies(all -> assertThat(all.contains("FIRSTS of 3: allreduce by hall/shout"))
                            .isEqualTo(world.pe() % 2 == 0));
            world.team().barrier();
        });
        assertThat(HallLayer.SERVED).containsExactlyInAnyOrder("world, rung FIRSTS", "world");
    }

    @Test
    @DisplayName("groups within what a transport layer composes for a level go by p2p, as far as the lists admit it")
    void composedByTransport() {
        Plugged.set(
                "coterie.cl.hier.tune=allreduce:@rab:inf#bcast:0#reduce:0#allgatherv:0",
                "coterie.tl.hall.tune=barrier:0",
                "coterie.tl.hall.fault=compose");
        run(NODES, StackedLayersTest::assertSums);
        Plugged.set("coterie.cl.hier.tls=hall", "coterie.cl.hier.node.sbgp.tls=p2p");
        String why = "layer hall composed allreduce of 3 members for level NODE_LEADERS, which p2p alone can serve";
        assertThat(failures(
                        NODES,
                        world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(NODES.size())
                .allSatisfy((pe, failure) -> assertThat(failure).hasMessageContaining(why));
    }

    @Test
    @DisplayName("a level of log messages that is none ends the join, also where the layer logs nothing")
    void logLevel() {
        Plugged.set("coterie.tl.hall.log.level=loud");
        assertThat(failures(PES, World::close))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .hasMessageContainingAll("TL_HALL_LOG_LEVEL", "\"loud\"", "is not one of all, trace"));
    }

    @Test
    @DisplayName("tasks of the composing layer are stages, also beside groups that a layer and plans serve")
    void ownTasks() {
        Plugged.set("coterie.cl.rung.tune=barrier:@own:inf");
        RungLayer.POSTED.clear();
        run(List.of(0, 0, 0), world -> {
            for (int round = 0; round < 4; round++) {
                world.team().barrier();
            }
            try (Request barrier = world.team().prepare(Collective.barrier().persistent())) {
                assertThat(barrier.algorithm()).isEqualTo("rung/own");
                for (int round = 0; round < 4; round++) {
                    barrier.post();
                    barrier.await();
                }
            }
        });
        assertThat(HallLayer.SERVED).containsExactly("world");
        assertThat(RungLayer.POSTED).hasSize(3 * 8 * 2);
        assertThat(RungLayer.POSTED.stream().distinct()).hasSize(8 * 2);
        assertThat(RungLayer.OPEN).hasValue(0);
    }

    @Test
    @DisplayName("members that divide the team differently have no collective in common, and the error names both")
    void otherGroups() {
        Plugged.set("coterie.cl.rung.tune=600", "coterie.cl.rung.fault=odd");
        assertThat(failures(
                        PES, world -> assertSum(world.team(), world.allocate(16).longs())))
                .hasSize(PES)
                .allSatisfy((pe, why) -> assertThat(why)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContainingAll(
                                "divides the team differently at level PAIR", "PE 0", "[0, 1]", "[1]"));
    }

    @Test
    @DisplayName("a collective layer that fails to tell its groups serves no team")
    void noGroups() {
        Plugged.set("coterie.cl.rung.tune=600", "coterie.cl.rung.fault=throws");
        run(PES, world -> {
            assertSum(world.team(), world.allocate(16).longs());
            assertThat(world.team().explain(CollectiveType.ALL_REDUCE, 8).toString())
                    .doesNotContain("rung");
        });
    }

    @Test
    @DisplayName("a blocking call is prepared once for the same arguments")
    void preparedOnce() {
        HallLayer.PREPARED.set(0);
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            for (int round = 0; round < 10; round++) {
                assertSum(world.team(), longs);
            }
        });
        assertThat(HallLayer.PREPARED).hasValue(PES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "finish@1", "never-finish@1"})
    @DisplayName("a layer ends a team in several steps, and one that fails or never ends is closed all the same")
    void finishes(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault, "coterie.layer.open.timeout.s=1");
        HallLayer.FINISHED.set(0);
        run(PES, world -> assertSum(world.team(), world.allocate(16).longs()));
        if (fault.isEmpty()) {
            assertThat(HallLayer.FINISHED).hasValueGreaterThanOrEqualTo(3 * PES);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sequential", "ordered", "parallel"})
    @DisplayName("a composition that divides vectors goes by layers that plug in and by p2p, with own tasks as stages")
    void pipelined(String order) {
        RungLayer.POSTED.clear();
        RungLayer.OPEN.set(0);
        Plugged.set(
                "coterie.cl.rung.tune=allreduce:inf#barrier:0",
                "coterie.cl.rung.firsts.sbgp.tls=hall,p2p",
                "coterie.cl.rung.pair.sbgp.tls=p2p",
                "coterie.cl.rung.pipeline=thresh=8:fragsize=80:nfrags=2:pdepth=2:" + order);
        run(NODES, world -> {
            int n = world.size();
            LongView longs = world.allocate(8 * 128).longs();
            try (Request sum = world.team()
                    .prepare(Collective.allReduce(Reduction.SUM)
                            .source(longs, 0, 33)
                            .target(longs, 64, 33)
                            .persistent())) {
                assertThat(sum.algorithm()).isEqualTo("rung/pairs");
                for (int round = 0; round < 3; round++) {
                    for (int at = 0; at < 33; at++) {
                        longs.set(at, world.pe() + (long) at * round);
                    }
                    sum.post();
                    sum.await();
                    for (int at = 0; at < 33; at++) {
                        assertThat(longs.get(64 + at)).isEqualTo(n * (n - 1) / 2 + (long) n * at * round);
                    }
                }
            }
        });
        assertThat(RungLayer.POSTED).as("4 fragments, 3 runs").hasSize(4 * 3 * NODES.size());
        assertThat(RungLayer.OPEN).hasValue(0);
        assertThat(HallLayer.SERVED).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hall,p2p", "p2p"})
    @DisplayName("stages with blocks of any lengths, some empty, go by a layer that plugs in as by p2p, two at a time")
    void variable(String transports) {
        Plugged.set(
                "coterie.cl.rung.tune=allreduce:@strips:inf#barrier:0",
                "coterie.cl.rung.full.sbgp.tls=" + transports,
                "coterie.tl.hall.fault=blocks");
        run(PES, world -> {
            int n = world.size();
            LongView longs = world.allocate(8 * 512).longs();
            for (int count : new int[] {1, 17, 200}) {
                for (int at = 0; at < count; at++) {
                    longs.set(at, world.pe() + 1L + at);
                }
                world.team().allReduce(Reduction.SUM, longs, 256, longs, 0, count);
                for (int at = 0; at < count; at++) {
                    assertThat(longs.get(256 + at)).isEqualTo(n * (n + 1L) / 2 + (long) n * at);
                }
                try (Request sum = world.team()
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, 0, count)
                                .target(longs, 256, count))) {
                    assertThat(sum.algorithm()).isEqualTo("rung/strips");
                }
            }
        });
        assertThat(HallLayer.SERVED.isEmpty()).isEqualTo(transports.equals("p2p"));
    }

    @Test
    @DisplayName("on request each collective and request is logged, with what serves its groups")
    void logged() {
        Plugged.set("coterie.cl.hier.tune=allreduce:@rab:inf", "coterie.coll.trace=true");
        try (Logged logged = new Logged()) {
            run(List.of(0, 0, 1), StackedLayersTest::assertSums);
            assertThat(logged.messages().stream().filter(line -> line.contains("by hier/rab")))
                    .hasSize(3 * (5 + 2))
                    .contains(
                            "allReduce on team \"world\", PE 0: 8 bytes by hier/rab; NODE of 2: reduce by p2p/knomial;"
                                    + " NODE_LEADERS of 2: allreduce by hall/shout; NODE of 2: bcast by p2p/knomial");
        } finally {
            Plugged.set("coterie.coll.trace");
        }
    }

    @Test
    @DisplayName("barriers and numbers that go with a round are logged, too")
    void loggedRounds() {
        Plugged.set("coterie.tls=^hall", "coterie.coll.trace=true");
        try (Logged logged = new Logged()) {
            run(PES, world -> {
                world.team().barrier();
                assertThat(world.team().sum(1L)).isEqualTo(PES);
            });
            assertThat(logged.messages())
                    .contains(
                            "barrier on team \"world\", PE 0: 0 bytes by a round",
                            "allReduce on team \"world\", PE 0: 8 bytes by a round");
        } finally {
            Plugged.set("coterie.coll.trace");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    @DisplayName("the log says of each root what serves its groups, and has numbers too")
    void loggedWithRoot(int root) {
        Plugged.set("coterie.cl.hier.tune=bcast:@2step:inf#allreduce:@rab:inf", "coterie.coll.trace=true");
        try (Logged logged = new Logged()) {
            run(List.of(0, 0, 1), world -> {
                LongView longs = world.allocate(64).longs();
                longs.set(0, 7 + world.pe());
                world.team().broadcast(longs, 1, longs, 0, 1, root);
                assertThat(longs.get(1)).isEqualTo(7 + root);
            });
            assertThat(logged.messages().stream().filter(line -> line.startsWith("broadcast")))
                    .hasSize(3);
            assertThat(logged.messages().stream().filter(line -> line.contains("NODE_LEADERS of 2: bcast by ")))
                    .as("a root that leads no node stands in for its leader")
                    .hasSize(root == 1 ? 0 : 2);
            run(List.of(0, 0, 1), world -> {
                world.allocate(64);
                assertThat(world.team().sum(2L)).isEqualTo(6);
            });
            assertThat(logged.messages().stream()
                            .filter(line -> line.startsWith("allReduce") && line.contains("8 bytes by hier/rab")))
                    .hasSize(3);
        } finally {
            Plugged.set("coterie.coll.trace");
        }
    }
}
