// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.internal.world.TestSettings.set;
import static coterie.internal.world.TestSettings.setLoadStore;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Request;
import coterie.internal.component.ComponentRegistry;
import coterie.internal.component.Registries;
import coterie.internal.sync.TeamSync;
import coterie.internal.team.TeamSyncs;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import coterie.spi.ReductionKind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Barriers, and reductions of one number a member: by rounds, unless settings select something else.
@ExtendWith(TestSettings.class)
class BarriersTest {
    private static final int ROUNDS = 40;

    private static String chosen(Team team, CollectiveType type, long bytes) {
        return team.explain(type, bytes).candidates().getFirst().toString();
    }

    @ParameterizedTest
    @CsvSource({
        "'', true, mapped/round 100, mapped/inline 100",
        "'', false, p2p/round 90, p2p/inline 90",
        "barrier:@dissemination:inf#allreduce:@knomial:inf, true, p2p/dissemination inf, p2p/knomial inf",
        "barrier:@dissemination:inf#allreduce:@knomial:inf, false, p2p/dissemination inf, p2p/knomial inf",
        "barrier:@knomial:200#allreduce:@ring:200, true, p2p/knomial 200, p2p/ring 200",
        "barrier:@knomial:200#allreduce:@ring:200, false, p2p/knomial 200, p2p/ring 200"
    })
    @DisplayName("by every algorithm, no member leaves a barrier before all have entered it, and sums are right")
    void everyWay(String tune, boolean direct, String barrier, String allreduce) {
        set(Setting.TL_P2P_TUNE, tune);
        setLoadStore(direct);
        for (int pes : new int[] {1, 2, 3, 5, 8}) {
            try (LocalJob job = new LocalJob(pes)) {
                job.run(world -> {
                    world.team().barrier();
                    assertThat(world.team().sum(1L))
                            .as("before there is a heap")
                            .isEqualTo(pes);
                    try (Request request = world.team().prepare(Collective.barrier())) {
                        request.post();
                        request.await();
                    }
                    if (pes > 1) {
                        assertThat(chosen(world.team(), CollectiveType.BARRIER, 0))
                                .isEqualTo(barrier);
                        assertThat(chosen(world.team(), CollectiveType.ALL_REDUCE, 8))
                                .isEqualTo(allreduce);
                    }
                    meetAndCount(world, world.team());
                    try (Team odd = world.team().splitByColor(world.pe() % 2, -world.pe())) {
                        meetAndCount(world, odd);
                    }
                });
            }
        }
    }

    private static void meetAndCount(World world, Team team) {
        LongView longs = world.allocate(64).longs();
        int next = team.pe((team.member() + 1) % team.size());
        for (int round = 1; round <= ROUNDS; round++) {
            longs.put(0, round, next);
            if (round % 2 == 0) {
                team.barrier();
            } else {
                world.context().quiet();
                team.sync();
            }
            assertThat(longs.get(0)).isEqualTo(round);
            team.sync();
            int n = team.size();
            assertThat(team.sum(10L * round + team.member())).isEqualTo(10L * round * n + n * (n - 1L) / 2);
            assertThat(team.allReduce(Reduction.MAX, round - team.member())).isEqualTo(round);
            assertThat(team.sum(0.5 * team.member())).isEqualTo(n * (n - 1) / 4.0);
            assertThat(team.allReduce(Reduction.MIN, 1.5 - team.member())).isEqualTo(2.5 - n);
        }
        world.team().barrier();
        longs.memory().close();
    }

    @Test
    @DisplayName("a hierarchy that settings select serves barriers on several nodes")
    void hierarchy() {
        set(Setting.CL_HIER_TUNE, "barrier:@2step:inf");
        try (LocalJob job = LocalJob.onNodes(List.of(0, 0, 1, 1, 2))) {
            job.run(world -> {
                assertThat(chosen(world.team(), CollectiveType.BARRIER, 0)).isEqualTo("hier/2step inf");
                meetAndCount(world, world.team());
            });
        }
    }

    @Test
    @DisplayName("where no layer serves them, barriers and numbers go by rounds all the same")
    void switchedOff() {
        set(Setting.TLS, "p2p");
        set(Setting.TL_P2P_TUNE, "barrier:0#allreduce:0");
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                assertThat(world.team().explain(CollectiveType.BARRIER, 0).candidates())
                        .isEmpty();
                meetAndCount(world, world.team());
            });
        }
    }

    @Test
    @DisplayName("if the selections of members differ and some have no candidate, all throw the mismatch")
    void servedOnSome() {
        try (LocalJob job = new LocalJob(3)) {
            job.failures(world -> {
                        LongView longs = world.allocate(64).longs();
                        String mine = world.pe() == 1 ? "bcast:0" : "";
                        ComponentRegistry registry = Registries.of("p2p", Map.of("p2p", mine, "mapped", ""));
                        DataCollectives data = TeamSyncs.collectives(world, world.team(), registry);
                        assertThatThrownBy(() -> data.broadcast(longs, 0, longs, 0, 1, 0))
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContaining("members disagree on the selection of algorithms");
                    })
                    .forEach((pe, thrown) -> {
                        throw new AssertionError("PE " + pe, thrown);
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "barrier:@dissemination:inf"})
    @DisplayName("members that call different collectives throw the mismatch")
    void mismatch(String tune) {
        set(Setting.TL_P2P_TUNE, tune);
        String suffix = tune.isEmpty() ? "" : " by a layer";
        try (LocalJob job = new LocalJob(3)) {
            job.run(world -> {
                try (Team team = world.team().duplicate()) {
                    assertThatThrownBy(() -> {
                                if (world.pe() == 1) {
                                    team.barrier();
                                } else {
                                    team.sync();
                                }
                            })
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContaining("PEs 0, 2 sync" + suffix + ", PE 1 barrier" + suffix);
                }
            });
        }
    }

    @Test
    @DisplayName("members whose settings select different barriers throw the mismatch")
    void otherSelections() {
        for (boolean bothLayered : new boolean[] {false, true}) {
            try (LocalJob job = new LocalJob(3)) {
                job.failures(world -> {
                            String mine = "barrier:@dissemination:inf";
                            String others = bothLayered ? "barrier:@knomial:inf" : "";
                            ComponentRegistry registry =
                                    Registries.of("all", Map.of("p2p", world.pe() == 1 ? mine : others));
                            TeamSync teamSync = TeamSyncs.of(world, world.team());
                            TeamSyncs.Calls calls = TeamSyncs.calls(world, world.team(), registry);
                            Barriers barriers = new Barriers(teamSync, calls.selector(), calls::data);
                            assertThatThrownBy(barriers::barrier)
                                    .isInstanceOf(CollectiveMismatchException.class)
                                    .hasMessageContaining(
                                            bothLayered
                                                    ? "members disagree on the selection of algorithms"
                                                    : "PE 1 barrier by a layer");
                        })
                        .forEach((pe, thrown) -> {
                            throw new AssertionError("PE " + pe, thrown);
                        });
            }
        }
    }

    @Test
    @DisplayName("members whose settings select different reductions of numbers throw the mismatch")
    void otherWaysOfNumbers() {
        try (LocalJob job = new LocalJob(3)) {
            job.failures(world -> {
                        world.allocate(64);
                        String tune = world.pe() == 1 ? "allreduce:@knomial:inf" : "";
                        ComponentRegistry registry = Registries.of("all", Map.of("p2p", tune));
                        TeamSync teamSync = TeamSyncs.of(world, world.team());
                        TeamSyncs.Calls calls = TeamSyncs.calls(world, world.team(), registry);
                        ScalarReductions numbers = new ScalarReductions(teamSync, calls.selector(), calls::data);
                        assertThatThrownBy(() -> numbers.reduce(ReductionKind.SUM, 1L))
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContaining("members disagree on the selection of algorithms");
                    })
                    .forEach((pe, thrown) -> {
                        throw new AssertionError("PE " + pe, thrown);
                    });
        }
    }

    @Test
    @DisplayName("teams that synchronize along a tree use rounds with any settings, and tell numbers from vectors")
    void alongATree() {
        set(Setting.TREE_SYNC_ABOVE, "2");
        set(Setting.TL_P2P_TUNE, "barrier:@knomial:inf#allreduce:@knomial:inf");
        try (LocalJob job = new LocalJob(6)) {
            job.run(world -> {
                meetAndCount(world, world.team());
                LongView longs = world.allocate(1024).longs();
                try (Team team = world.team().duplicate()) {
                    assertThatThrownBy(() -> {
                                if (world.pe() == 4) {
                                    team.allReduce(Reduction.SUM, longs, 0, longs, 64, 1);
                                } else {
                                    team.sum(1L);
                                }
                            })
                            .isInstanceOf(CollectiveMismatchException.class)
                            .hasMessageContainingAll(
                                    "SUM of LONG (scalar) on PEs [0, 1, 2, 3, 5]", "SUM of LONG on PEs [4]");
                }
            });
        }
    }

    @Test
    @DisplayName("after a member has failed, barriers throw, and the living members agree, whatever barriers use")
    void theLivingMeet() {
        set(Setting.TL_P2P_TUNE, "barrier:@dissemination:inf");
        set(Setting.FAULT, "all_reduce:0@1=fail");
        try (LocalJob job = new LocalJob(3)) {
            Map<Integer, Throwable> failures = job.failures(world -> {
                world.team().barrier();
                job.meet();
                assertThatThrownBy(() -> world.team().sum(1L)).isInstanceOf(PeFailedException.class);
                assertThatThrownBy(() -> world.team().barrier()).isInstanceOf(PeFailedException.class);
                for (int round = 0; round < 3; round++) {
                    assertThat(world.team().syncLiving()).containsExactly(1);
                }
            });
            assertThat(failures).containsOnlyKeys(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"'', true", "'', false", "allreduce:@knomial:inf, true"})
    @DisplayName("a number and a vector are different reductions: the mismatch names which members called which")
    void numberOrVector(String tune, boolean direct) {
        set(Setting.TL_P2P_TUNE, tune);
        setLoadStore(direct);
        for (int pes : new int[] {2, 5}) {
            try (LocalJob job = new LocalJob(pes)) {
                job.run(world -> {
                    LongView longs = world.allocate(1024).longs();
                    try (Team team = world.team().duplicate()) {
                        assertThatThrownBy(() -> {
                                    if (world.pe() == 1) {
                                        team.allReduce(Reduction.SUM, longs, 0, longs, 64, 1);
                                    } else {
                                        team.sum(1L);
                                    }
                                })
                                .isInstanceOf(CollectiveMismatchException.class)
                                .hasMessageContainingAll(
                                        "members disagree on the reduction: SUM of LONG (scalar) on PEs [0",
                                        "SUM of LONG on PEs [1]");
                    }
                    assertThat(world.team().sum(1L)).isEqualTo(pes);
                });
            }
        }
    }
}
