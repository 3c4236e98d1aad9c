// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.world.LayerSettings;
import coterie.internal.world.LocalJob;
import coterie.layer.Layer;
import coterie.layer.TeamParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Layers that plug in, on the teams of a world.
class ComponentsTest extends HallCase {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 8})
    @DisplayName("UC-16 teams of 1, 2, 7 and 8 are made and destroyed at once; a layer releases each of them")
    void teams(int pes) {
        run(pes, world -> {
            LongView longs = world.allocate(16).longs();
            for (int round = 0; round < 3; round++) {
                try (Team team = world.team().duplicate()) {
                    assertSum(team, longs);
                    assertThat(first(team, CollectiveType.ALL_REDUCE)).isEqualTo("hall/shout 500");
                }
                world.team().duplicate().close();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @DisplayName("members open the layers of a team by requests that never wait, and by collectives, in any order")
    void openedByPolls(boolean loadsAndStores) {
        System.setProperty("coterie.load.store", Boolean.toString(loadsAndStores));
        try {
            run(4, world -> {
                LongView longs = world.allocate(16).longs();
                List<Team> teams = List.of(
                        world.team().duplicate(),
                        world.team().duplicate(),
                        world.team().duplicate());
                List<Request> requests = new ArrayList<>();
                for (int each = 0; each < 3; each++) {
                    Team team = teams.get((each + world.pe()) % 3);
                    for (Optional<Request> next = team.tryPrepare(Collective.barrier());
                            next.isEmpty() && each == 2;
                            next = team.tryPrepare(Collective.barrier())) {
                        world.progress();
                    }
                }
                for (Team team : teams) {
                    requests.add(team.tryPrepare(sum(longs)).orElseGet(() -> team.prepare(sum(longs))));
                    assertThat(requests.getLast().algorithm()).isEqualTo("hall/shout");
                    longs.set(0, 1);
                    requests.getLast().post();
                    requests.getLast().await();
                    assertThat(longs.get(1)).isEqualTo(4);
                    requests.getLast().close();
                }
                try (Team late = world.team().duplicate()) {
                    boolean waits = world.pe() % 2 == 1;
                    Optional<Request> polled = waits ? Optional.empty() : late.tryPrepare(sum(longs));
                    assertSum(late, longs);
                    assertThat(polled.isEmpty())
                            .as("others have not come to the layers yet")
                            .isTrue();
                    assertThat(first(late, CollectiveType.ALL_REDUCE)).isEqualTo("hall/shout 500");
                }
                teams.forEach(Team::close);
            });
        } finally {
            System.clearProperty("coterie.load.store");
        }
    }

    @Test
    @DisplayName("UC-15 each world of a JVM has its own context of a layer, whose address all others receive")
    void contexts() {
        asOnly(GossipLayer.class);
        for (int job = 0; job < 2; job++) {
            GossipLayer.CONTENT.clear();
            run(4, world -> {
                assertSum(world.team(), world.allocate(16).longs());
                world.team().barrier();
                TeamParameters seen = GossipLayer.CONTENT.get("world " + world.pe());
                for (int member = 0; member < 4; member++) {
                    TeamParameters its = GossipLayer.CONTENT.get("world " + member);
                    assertThat(seen.address(member)).isNotEmpty().isEqualTo(its.address(member));
                    for (int other = 0; other < member; other++) {
                        assertThat(seen.address(member)).isNotEqualTo(seen.address(other));
                    }
                }
            });
        }
    }

    @Test
    @DisplayName(
            "UC-18 UC-19 exchanges of any lengths on teams that are full, strided, reversed and listed: each member"
                    + " knows its number, all PEs and nodes")
    void exchanges() {
        asOnly(GossipLayer.class);
        GossipLayer.CONTENT.clear();
        run(8, world -> {
            LongView longs = world.allocate(16).longs();
            List<int[]> members = List.of(
                    new int[] {0, 1, 2, 3, 4, 5, 6, 7},
                    new int[] {1, 4, 7},
                    new int[] {7, 6, 5, 4, 3, 2, 1, 0},
                    new int[] {6, 0, 5, 1},
                    new int[] {3});
            for (int[] pes : members) {
                int me = IntStream.range(0, pes.length)
                        .filter(member -> pes[member] == world.pe())
                        .findFirst()
                        .orElse(-1);
                Team team = world.team().splitByColor(me < 0 ? 1 : 0, Math.max(me, 0));
                assertSum(team, longs);
                TeamParameters seen = GossipLayer.CONTENT.get(team.name() + " " + team.member());
                assertThat(seen.size()).isEqualTo(team.size());
                assertThat(seen.me()).isEqualTo(team.member());
                for (int member = 0; member < team.size(); member++) {
                    assertThat(seen.pe(member)).isEqualTo(team.pe(member));
                    assertThat(seen.node(member)).isZero();
                }
                if (me >= 0) {
                    assertThat(team.pes()).containsExactly(pes);
                }
                world.team().barrier();
                GossipLayer.CONTENT.clear();
                team.close();
                world.team().barrier();
            }
        });
    }

    private void asOnly(Class<? extends Layer> layer) {
        plugged.close();
        plugged = Plugged.in(folder, List.of(layer));
    }

    @Test
    @DisplayName("what a layer offers is there for some sizes; the other sizes are served as without it")
    void sizes() {
        run(PES, world -> {
            LongView longs = world.allocate(8 * 4096).longs();
            for (int count : new int[] {1, 511, 512, 1023, 1024, 2000}) {
                longs.set(0, world.pe());
                longs.set(count - 1, world.pe() + 10L);
                world.team().allReduce(Reduction.MAX, longs, 2048, longs, 0, count);
                assertThat(longs.get(2048 + count - 1)).isEqualTo(PES + 9);
            }
            assertThat(world.team().explain(CollectiveType.ALL_REDUCE, 4096).toString())
                    .contains("hall/whisper 500");
            assertThat(world.team().explain(CollectiveType.ALL_REDUCE, 8192).toString())
                    .doesNotContain("hall");
        });
    }

    @Test
    @DisplayName("requests use it: persistent ones, several at once, and by the name of an algorithm")
    void requests() {
        run(PES, world -> {
            LongView longs = world.allocate(8 * 64).longs();
            Request[] sums = new Request[6];
            for (int i = 0; i < sums.length; i++) {
                Collective sum = Collective.allReduce(Reduction.SUM)
                        .source(longs, i, 1)
                        .target(longs, 32 + i, 1)
                        .persistent();
                sums[i] = world.team().prepare(i % 2 == 0 ? sum : sum.withAlgorithm("shout"));
                assertThat(sums[i].algorithm()).isEqualTo("hall/shout");
            }
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < sums.length; i++) {
                    longs.set(i, 10L * i + world.pe() + round);
                    sums[i].post();
                }
                for (int i = 0; i < sums.length; i++) {
                    sums[sums.length - 1 - i].await();
                }
                for (int i = 0; i < sums.length; i++) {
                    assertThat(longs.get(32 + i)).isEqualTo(PES * (10L * i + round) + 3);
                }
                assertSum(world.team(), longs); // between posts
            }
            for (Request sum : sums) {
                sum.close();
            }
            try (Request barrier = world.team().prepare(Collective.barrier())) {
                assertThat(barrier.algorithm()).isEqualTo("hall/shout");
                barrier.post();
                barrier.await();
            }
            assertThatThrownBy(() -> world.team().prepare(Collective.barrier().withAlgorithm("whisper")))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("no algorithm \"whisper\"", "shout");
        });
    }

    @Test
    @DisplayName("blocking calls continue while requests of the team wait for events, on any channel")
    void callsAndRequests() {
        run(PES, world -> {
            LongView longs = world.allocate(8 * 32).longs();
            AtomicBoolean hasHappened = new AtomicBoolean();
            Request[] waiting = new Request[5];
            for (int i = 0; i < waiting.length; i++) {
                longs.set(2 + i, world.pe());
                waiting[i] = world.team()
                        .prepare(Collective.allReduce(Reduction.SUM)
                                .source(longs, 2 + i, 1)
                                .target(longs, 12 + i, 1));
                if (world.pe() == 0) {
                    waiting[i].postWhen(hasHappened::get); // others post after their calls
                }
            }
            for (int i = 0; i < 6; i++) {
                assertSum(world.team(), longs);
            }
            for (Request each : waiting) {
                if (world.pe() != 0) {
                    each.post();
                }
            }
            hasHappened.set(true);
            for (int i = 0; i < waiting.length; i++) {
                waiting[i].await();
                assertThat(longs.get(12 + i)).isEqualTo(3);
                waiting[i].close();
            }
        });
    }

    @Test
    @DisplayName("several threads may be first to need a team's layers, and use them at once")
    void manyThreads() {
        run(2, world -> {
            LongView longs = world.allocate(8 * 512).longs();
            List<Thread> threads = new ArrayList<>();
            List<Throwable> thrown = Collections.synchronizedList(new ArrayList<>());
            for (int number = 0; number < 4; number++) {
                long mine = 2L * number;
                Team team = world.team().duplicate();
                threads.add(Thread.ofPlatform().start(() -> {
                    try {
                        for (int round = 0; round < 50; round++) {
                            longs.set(mine, round + world.pe());
                            team.allReduce(Reduction.SUM, longs, mine + 1, longs, mine, 1);
                            assertThat(longs.get(mine + 1)).isEqualTo(2L * round + 1);
                        }
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                }));
            }
            for (Thread each : threads) {
                each.join();
            }
            assertThat(thrown).isEmpty();
        });
    }

    @Test
    @DisplayName("a layer that works at a lower level of threads is left out of the world")
    void threads() {
        Plugged.set("coterie.tl.hall.level=SINGLE");
        run(2, world -> {
            assertSum(world.team(), world.allocate(16).longs());
            assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
        });
    }

    @Test
    @DisplayName("a layer serves teams of the sizes that it has declared")
    void mostMembers() {
        Plugged.set("coterie.tl.hall.most=2");
        run(PES, world -> {
            LongView longs = world.allocate(16).longs();
            assertSum(world.team(), longs);
            assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
            try (Team pair = world.team().splitByColor(world.pe() / 2, 0)) {
                assertSum(pair, longs);
                assertThat(first(pair, CollectiveType.ALL_REDUCE)).contains("hall");
            }
        });
    }

    @Test
    @DisplayName("tuning strings act on it as on any other")
    void tuned() {
        Plugged.set("coterie.tl.hall.tune=allreduce:0-100:7#allreduce:100-200:@whisper");
        run(PES, world -> {
            assertSum(world.team(), world.allocate(16).longs());
            assertThat(first(world.team(), CollectiveType.ALL_REDUCE)).doesNotContain("hall");
            assertThat(world.team().explain(CollectiveType.ALL_REDUCE, 8).toString())
                    .contains("hall/shout 7");
            assertThat(world.team()
                            .explain(CollectiveType.ALL_REDUCE, 100)
                            .candidates()
                            .getFirst()
                            .toString())
                    .isEqualTo("hall/whisper 500");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gather:50",
                "allreduce:host",
                "allreduce:cuda:5",
                "allreduce:[9]:5",
                "bcast:[4-inf]:5",
                "nonsense"
            })
    @DisplayName("a token that can't change anything, whatever a layer offers, ends a strict join")
    void strictJoins(String tune) {
        Plugged.set("coterie.tl.hall.tune=" + tune, "coterie.tune.strict=true");
        try (LocalJob job = new LocalJob(PES)) {
            for (Throwable thrown : job.failures(world -> world.team().sync()).values()) {
                assertThat(thrown)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll("TL_HALL_TUNE (from coterie.tl.hall.tune), column 1: \"" + tune);
            }
        } finally {
            Plugged.set("coterie.tune.strict");
        }
    }

    @Test
    @DisplayName("a token without effect on a layer's offer ends its first use on all members of a strict team")
    void strictTeams() {
        Plugged.set("coterie.tl.hall.tune=allreduce:0-4k:5#allreduce:1m-2m:7", "coterie.tune.strict=true");
        try {
            run(PES, world -> {
                LongView longs = world.allocate(16).longs();
                assertThatThrownBy(() -> assertSum(world.team(), longs))
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContainingAll(
                                "setting TL_HALL_TUNE (from coterie.tl.hall.tune), column 18:",
                                "\"allreduce:1m-2m:7\" has no effect: hall offers nothing for the token's sizes");
            });
        } finally {
            Plugged.set("coterie.tune.strict");
        }
    }

    @Test
    @DisplayName("without a world, remarks name tokens without effect, and layers that reply only to a team")
    void remarksWithoutAWorld() {
        String which = "layer \"hall\" (coterie.internal.layer.HallLayer) ";
        HallLayer.OPEN.set(0);
        Plugged.set("coterie.tl.hall.tune=gather:50#allreduce:5");
        assertThat(LayerSettings.allRemarks(PES))
                .satisfiesExactly(
                        remark -> assertThat(remark)
                                .startsWith(
                                        "setting TL_HALL_TUNE (from coterie.tl.hall.tune), column 1: \"gather:50\""),
                        remark -> assertThat(remark).startsWith(which + "reports its algorithms"));
        Plugged.set("coterie.tl.hall.fault=attributes");
        assertThat(LayerSettings.allRemarks(PES)).singleElement().asString().startsWith(which + "does not work here");
        Plugged.set("coterie.tls=^hall");
        assertThat(LayerSettings.allRemarks(PES)).isEmpty();
        assertThat(HallLayer.OPEN).hasValue(0);
    }
}
