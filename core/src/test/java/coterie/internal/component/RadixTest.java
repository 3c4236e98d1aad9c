// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.internal.world.TestSettings.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchRuntimeException;

import coterie.CollectiveMismatchException;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.collective.DataCollectives;
import coterie.internal.sync.RoundAccess;
import coterie.internal.team.TeamSyncs;
import coterie.internal.world.LayerSettings;
import coterie.internal.world.LocalJob;
import coterie.internal.world.Setting;
import coterie.internal.world.TestSettings;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("how many members a step of a plan joins")
@ExtendWith(TestSettings.class)
class RadixTest {
    private static final int PES = 7;

    @ParameterizedTest
    @CsvSource({"2, 3, 3", "inf, 6, 6", "auto, 4, 4", "'0-64:2,inf', 3, 6", "'64-inf:2,6', 6, 3"})
    @DisplayName("UC-10 the setting says how many messages the root of a broadcast sends, by size")
    void messages(String radix, int few, int many) {
        set(Setting.TL_P2P_KN_RADIX, radix);
        set(Setting.TLS, "p2p");
        set(Setting.TL_P2P_TUNE, "bcast:@knomial:inf");
        try (LocalJob job = new LocalJob(PES)) {
            job.run(world -> {
                LongView longs = world.allocate(8L * 40).longs();
                Team team = world.team();
                check(world, team, longs, 1, few);
                check(world, team, longs, 20, many);
            });
        }
    }

    private static void check(World world, Team team, IntegerView longs, int count, int messages) {
        Collective asked = Collective.broadcast(0)
                .source(longs, 0, count)
                .target(longs, 20, count)
                .withAlgorithm("knomial");
        longs.set(count - 1, 100 + world.pe());
        try (Request request = team.prepare(asked)) {
            long before = messages(world, team);
            request.post();
            request.await();
            if (world.pe() == 0) {
                assertThat(messages(world, team) - before).isEqualTo(messages);
            }
            assertThat(longs.get(20L + count - 1)).isEqualTo(100);
        }
        team.broadcast(longs, 20, longs, 0, count, 1);
        assertThat(longs.get(20L + count - 1)).isEqualTo(101);
    }

    private static long messages(World world, Team team) {
        return RoundAccess.messages(TeamSyncs.of(world, team).syncRound());
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "0-4k:0", "two", "-3"})
    @DisplayName("what is no radix is refused with its position")
    void refused(String radix) {
        set(Setting.TL_P2P_KN_RADIX, radix);
        assertThatThrownBy(LayerSettings::registry)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "setting TL_P2P_KN_RADIX (from " + Setting.TL_P2P_KN_RADIX.property() + "), column ",
                        "[2, 2^31)");
    }

    @Test
    @DisplayName("members with other radices throw the mismatch")
    void differ() {
        try (LocalJob job = new LocalJob(2)) {
            job.run(world -> {
                ComponentRegistry registry = new ComponentRegistry(
                        "all",
                        "tls",
                        Map.of("p2p", ""),
                        Map.of(),
                        ComponentRegistry.radices("radix", world.pe() == 0 ? "2" : "3"),
                        GroupLists.NONE,
                        ComponentRegistry.DiagnosticHandler.LENIENT);
                Team team = world.team().duplicate();
                DataCollectives data = TeamSyncs.collectives(world, team, registry);
                LongView longs = world.allocate(64).longs();
                RuntimeException told = catchRuntimeException(() -> data.broadcast(longs, 0, longs, 4, 1, 0));
                assertThat(told)
                        .isInstanceOf(CollectiveMismatchException.class)
                        .hasMessageContaining("the selection of algorithms");
            });
        }
    }
}
