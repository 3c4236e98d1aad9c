// SPDX-License-Identifier: Apache-2.0
package coterie.internal.layer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.collective.CollectiveType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Barriers and numbers that a layer which plugs in serves.
class LayeredBarrierTest extends HallCase {
    @Test
    @DisplayName("barriers are its from the first one on, and numbers once there is a heap")
    void served() {
        run(PES, world -> {
            world.team().barrier();
            assertThat(first(world.team(), CollectiveType.BARRIER)).isEqualTo("hall/shout 500");
            assertThat(world.team().sum(1L)).as("before there is a heap").isEqualTo(PES);
            LongView longs = world.allocate(16).longs();
            for (int round = 1; round <= 20; round++) {
                longs.put(0, round, (world.pe() + 1) % PES);
                world.team().barrier();
                assertThat(longs.get(0)).isEqualTo(round);
                world.team().sync();
                assertThat(world.team().sum(10L * round + world.pe())).isEqualTo(10L * round * PES + 3);
                assertThat(world.team().sum(0.5 + world.pe())).isEqualTo(4.5);
                assertThat(world.team().allReduce(Reduction.MAX, -1.0 - world.pe()))
                        .isEqualTo(-1);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"post@1", "progress@1", "link:progress@1"})
    @DisplayName("a failure on one member reaches all, in this call or, if they have completed it, in the next one")
    void oneVerdict(String fault) {
        Plugged.set("coterie.tl.hall.fault=" + fault);
        assertThat(failures(PES, world -> {
                    try (Team team = world.team().duplicate()) {
                        assertThatThrownBy(() -> {
                                    team.barrier();
                                    team.barrier();
                                })
                                .hasMessageMatching(message(world));
                        refused(team, world);
                    }
                }))
                .isEmpty();
        assertThat(failures(PES, world -> {
                    try (Team team = world.team().duplicate()) {
                        LongView longs = world.allocate(16).longs();
                        assertThatThrownBy(() -> {
                                    team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
                                    team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
                                })
                                .hasMessageMatching(message(world));
                        refused(team, world);
                    }
                }))
                .isEmpty();
    }

    private static String message(World world) {
        return world.pe() == 1
                ? "(?s)layer \"hall\" .* failed in .* by shout on team .*, PE 1: .*"
                : "(?s).*(PE 1 aborted in|since PE 1 failed).*: layer hall: .*";
    }

    private static void refused(Team team, World world) {
        assertThatThrownBy(team::barrier)
                .hasMessageMatching("barrier( by a layer)? on PE " + world.pe() + ": .*")
                .hasMessageContaining("can't be used any more");
    }

    @Test
    @DisplayName("where the only layer declines, barriers and numbers are rounds")
    void declined() {
        String others = "barrier:0#allreduce:0";
        Plugged.set(
                "coterie.tl.hall.fault=decline", "coterie.tl.p2p.tune=" + others, "coterie.tl.mapped.tune=" + others);
        try {
            run(PES, world -> {
                world.allocate(16);
                for (int round = 0; round < 3; round++) {
                    world.team().barrier();
                    world.team().sync();
                    assertThat(world.team().sum(1L)).isEqualTo(PES);
                }
            });
        } finally {
            Plugged.set("coterie.tl.p2p.tune", "coterie.tl.mapped.tune");
        }
    }

    @Test
    @DisplayName("a layer that fails to prepare a barrier on one member fails it on all, and the team goes on")
    void prepareFails() {
        Plugged.set("coterie.tl.hall.fault=prepare@1");
        run(PES, world -> {
            for (int round = 0; round < 2; round++) {
                assertThatThrownBy(() -> world.team().barrier())
                        .isInstanceOf(CoterieException.class)
                        .hasMessageContaining(
                                world.pe() == 1
                                        ? "has failed to prepare barrier"
                                        : "failed to prepare it on PE 1: layer \"hall\"");
            }
        });
    }
}
