// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.conformance.RosterLayer.PluggedIn;
import coterie.conformance.RosterLayer.Roster;
import coterie.junit.SpmdTest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Contexts and teams, as programs and as a layer that plugs in see them. Tests join worlds of their own, which
/// have the layer.
class ContextsConformanceTest {

    /// What the layer has seen of a team, once that has needed its layers.
    private static Roster roster(Team team) {
        team.barrier();
        Roster roster = RosterLayer.TEAMS.get(team.name());
        assertThat(roster).as("of %s", team.name()).isNotNull();
        return roster;
    }

    @SpmdTest(pes = {1, 4})
    @DisplayName("UC-15 each world that a PE opens has a context of its own, whose address all others get, the same on"
            + " every team")
    void contexts() {
        Set<String> mine = new HashSet<>();
        for (int round = 0; round < 3; round++) {
            try (PluggedIn _ = RosterLayer.plugIn();
                    World world = World.join();
                    SymmetricMemory memory = world.allocate(8L * (1 + world.size()))) {
                assertThat(RosterLayer.CONTEXTS).hasValue(1);
                assertAddresses(world.team(), memory.longs());
                try (Team reversed = world.team().splitStrided(world.size() - 1, -1, world.size())) {
                    assertAddresses(reversed, memory.longs());
                    assertThat(roster(reversed).mine).isEqualTo(roster(world.team()).mine);
                }
                mine.add(roster(world.team()).mine);
            }
            assertThat(RosterLayer.CONTEXTS)
                    .as("contexts of worlds that are closed")
                    .hasValue(0);
        }
        assertThat(mine).hasSize(3);
    }

    /// That each member knows of each what that one says of itself, and no two say the same.
    private static void assertAddresses(Team team, IntegerView longs) {
        Roster roster = roster(team);
        longs.set(0, roster.mine.hashCode());
        team.allGather(longs, 1, longs, 0, 1);
        Set<String> addresses = new HashSet<>();
        for (int member = 0; member < team.size(); member++) {
            assertThat(roster.address(member)).isNotEmpty();
            assertThat((long) roster.address(member).hashCode()).isEqualTo(longs.get(1 + member));
            addresses.add(roster.address(member));
        }
        assertThat(roster.address(team.member())).isEqualTo(roster.mine);
        assertThat(addresses).hasSize(team.size());
        team.sync();
    }

    @SpmdTest(pes = 8)
    @DisplayName("UC-16 teams of 1, 2, 7 and 8 are made and destroyed at once, used and not, and nothing is left")
    void comeAndGo() {
        try (PluggedIn _ = RosterLayer.plugIn();
                World world = World.join();
                SymmetricMemory memory = world.allocate(24)) {
            LongView longs = memory.longs();
            roster(world.team());
            long used = world.heapStatistics().usedBytes();
            for (int size : new int[] {1, 2, 7, 8, 1, 8}) {
                world.team().splitStrided(8 - size, 1, size).close();
                Team team = world.team().splitStrided(size - 1, -1, size);
                assertThat(RosterLayer.TEAMS).containsOnlyKeys("world");
                if (team.isValid()) {
                    assertThat(roster(team).team.size()).isEqualTo(size);
                    longs.set(0, team.member() + 1);
                    team.allReduce(Reduction.SUM, longs, 1, longs, 0, 1);
                    assertThat(longs.get(1)).isEqualTo(size * (size + 1L) / 2);
                    sum(team, longs, 2);
                    assertThat(longs.get(2)).isEqualTo(size * (size + 1L) / 2);
                }
                team.close();
                assertThat(RosterLayer.TEAMS).as("after the team of %s", size).containsOnlyKeys("world");
                assertThat(world.heapStatistics().usedBytes()).isEqualTo(used);
            }
        }
        assertThat(RosterLayer.TEAMS).isEmpty();
    }

    private static void sum(Team team, IntegerView longs, int target) {
        postAndAwait(
                team, Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, target, 1));
    }

    private static final List<int[]> SUBSETS = List.of(
            new int[] {0, 1, 2, 3, 4, 5, 6, 7},
            new int[] {1, 4, 7},
            new int[] {7, 6, 5, 4, 3, 2, 1, 0},
            new int[] {6, 3, 0},
            new int[] {6, 0, 5, 1},
            new int[] {3});

    /// The team of these PEs, and one of all others in their order.
    private static Team subset(World world, int... pes) {
        int me = IntStream.range(0, pes.length)
                .filter(member -> pes[member] == world.pe())
                .findFirst()
                .orElse(-1);
        Team team = world.team().splitByColor(me < 0 ? 1 : 0, Math.max(me, 0));
        assertThat(me < 0 || team.member() == me).isTrue();
        return team;
    }

    @SpmdTest(pes = 8)
    @DisplayName("UC-18 a team tells its members, numbers and name, and its layers the same; what is over, or none,"
            + " says so")
    void attributes() {
        try (PluggedIn _ = RosterLayer.plugIn();
                World world = World.join()) {
            for (int[] pes : SUBSETS) {
                Team team = subset(world, pes);
                Roster roster = roster(team);
                assertThat(roster.team.name()).isEqualTo(team.name()).startsWith("world/");
                assertThat(roster.team.size()).isEqualTo(team.size());
                assertThat(roster.team.me()).isEqualTo(team.member());
                for (int member = 0; member < team.size(); member++) {
                    assertThat(roster.team.pe(member)).isEqualTo(team.pe(member));
                    assertThat(roster.team.node(member)).isZero();
                }
                assertThat(team.pe(team.member())).isEqualTo(world.pe());
                assertThat(team.config()).isEqualTo(TeamConfig.DEFAULT);
                assertThatThrownBy(() -> team.pe(team.size()))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContainingAll(team.name(), Integer.toString(team.size()));
                team.close();
                assertThat(team.isValid()).isFalse();
                assertThatThrownBy(team::size)
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining(team.name());
                assertThatThrownBy(team::config).isInstanceOf(IllegalStateException.class);
            }
            assertThat(Team.INVALID.size()).isEqualTo(-1);
            assertThatThrownBy(Team.INVALID::config).isInstanceOf(IllegalStateException.class);
        }
    }

    @SpmdTest(pes = 8)
    @DisplayName("UC-19 exchanges and sums over subsets that are full, strided, reversed and listed, and the others"
            + " beside them")
    void exchanges() {
        try (PluggedIn _ = RosterLayer.plugIn();
                World world = World.join();
                SymmetricMemory memory = world.allocate(8L * 32)) {
            LongView longs = memory.longs();
            for (int[] pes : SUBSETS) {
                try (Team team = subset(world, pes)) {
                    Roster roster = roster(team);
                    int n = team.size();
                    long bits = 0;
                    for (int member = 0; member < n; member++) {
                        assertThat(roster.heard(member)).isEqualTo(Roster.words(team.pe(member)));
                        bits |= 1L << team.pe(member);
                    }
                    longs.set(0, 1L << world.pe());
                    assertThat(team.sum(1L << world.pe())).isEqualTo(bits);
                    sum(team, longs, 1);
                    assertThat(longs.get(1)).isEqualTo(bits);
                    team.allGather(longs, 2, longs, 0, 1);
                    try (Request gather = team.prepare(
                            Collective.allGather().source(longs, 0, 1).target(longs, 2L + n, n))) {
                        gather.post();
                        gather.await();
                    }
                    for (int member = 0; member < n; member++) {
                        assertThat(longs.get(2 + member)).isEqualTo(1L << team.pe(member));
                        assertThat(longs.get(2 + n + member)).isEqualTo(1L << team.pe(member));
                    }
                }
            }
        }
    }
}
