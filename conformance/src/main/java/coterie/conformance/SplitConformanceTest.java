// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.DisplayName;

/// Teams by a triplet, by color and key, and as duplicates.
class SplitConformanceTest {

    @SpmdTest(pes = 8)
    @DisplayName("SH-T3 every second PE from 0: a team of four; the others have none")
    void everySecond(World world) {
        check(world, 0, 2, 4, 0, 2, 4, 6);
    }

    @SpmdTest(pes = 7)
    @DisplayName("SH-T4 the last member is the last PE")
    void upToTheLast(World world) {
        check(world, 0, 2, 4, 0, 2, 4, 6);
    }

    @SpmdTest(pes = 8)
    @DisplayName("SH-T5 a triplet that leaves the team is refused on every member, and does not wrap around")
    void doesNotWrap(World world) {
        assertRefused(world.team(), 3, 3, 3, "start 3, stride 3, size 3").hasMessageContaining("[0, 8)");
        assertThat(world.team().sum(1L)).isEqualTo(8);
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T6 bad starts and sizes are refused on every member, and the team can be used on")
    void refusesBadTriplets(World world) {
        int[][] triplets = {
            {4, 1, 1},
            {0, 1, 0},
            {0, 1, -2},
            {-1, 1, 2},
            {0, 1, 5},
            {0, Integer.MAX_VALUE, 2},
            {3, Integer.MIN_VALUE, 2},
            {0, 1, Integer.MIN_VALUE},
            {0, 1 << 30, 5}
        };
        for (int[] triplet : triplets) {
            assertRefused(world.team(), triplet[0], triplet[1], triplet[2], "start " + triplet[0]);
            assertThat(world.team().sum((long) world.pe())).isEqualTo(6);
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T7 a negative stride counts down")
    void countsDown(World world) {
        check(world, 3, -1, 4, 3, 2, 1, 0);
        try (Team reversed = world.team().splitStrided(3, -1, 4)) {
            assertThat(reversed.member()).isEqualTo(3 - world.pe());
            for (int i = 0; i < 4; i++) {
                assertThat(reversed.translate(i, world.team())).isEqualTo(3 - i);
                assertThat(world.team().translate(i, reversed)).isEqualTo(3 - i);
            }
            assertThat(reversed.sum((long) reversed.member())).isEqualTo(6);
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T9 stride 0 is good for one member, and for no more")
    void strideZero(World world) {
        check(world, 2, 0, 1, 2);
        assertRefused(world.team(), 2, 0, 2, "stride 0");
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T10 with one member the stride means nothing, even if members differ in it")
    void strideOfOne(World world) {
        check(world, 0, 13, 1, 0);
        check(world, 1, Integer.MIN_VALUE, 1, 1);
        check(world, 3, world.pe(), 1, 3);
    }

    @SpmdTest(pes = 10)
    @DisplayName("SH-T12 a triplet is held against its parent team, not against the world")
    void boundsAreTheParents(World world) {
        Team parent = world.team().splitStrided(0, 2, 3);
        if (parent.isValid()) {
            assertRefused(parent, 0, 2, 3, "size 3").hasMessageContaining("[0, 3)");
            try (Team child = parent.splitStrided(2, -2, 2)) {
                assertThat(child.isValid()).isEqualTo(world.pe() != 2);
                assertThat(child.pes()).isEqualTo(world.pe() == 2 ? new int[0] : new int[] {4, 0});
            }
        }
        parent.close();
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T26, SH-T27 a config that is null on one member is refused on all, those outside the team too")
    @SuppressWarnings("NullAway") // that is what is tested
    void refusesNoConfig(World world) {
        TeamConfig config = world.pe() == 3 ? null : TeamConfig.DEFAULT;
        assertThatThrownBy(() -> world.team().splitStrided(0, 1, 2, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a config of PE 3 is null");
        assertThatThrownBy(() -> world.team().split2D(2, TeamConfig.DEFAULT, config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("a config of PE 3 is null");
        assertThat(world.team().sum(1L)).isEqualTo(4);
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T28 one PE passes another triplet: all get an error that names it, and the parent stays usable")
    void namesWhoDiffers(World world) {
        boolean differs = world.pe() == 2;
        assertThatThrownBy(() -> world.team().splitStrided(0, 1, differs ? 3 : 4))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("splitStrided")
                .hasMessageContaining("disagree on the size: 4 on PEs [0, 1, 3], 3 on PEs [2]");
        assertThatThrownBy(() -> world.team().splitStrided(differs ? 1 : 0, 1, 2))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("disagree on the start");
        assertThatThrownBy(() -> world.team().splitStrided(0, differs ? 1 : 2, 2))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("disagree on the stride");
        assertRefused(world.team(), 0, 1, differs ? 5 : 4, "PE 2 passes start 0, stride 1, size 5");
        assertThatThrownBy(() -> world.team()
                        .splitStrided(0, 1, 3, TeamConfig.DEFAULT.withContexts(differs || world.pe() == 3 ? 1 : 0)))
                .as("the config of a PE that is not in the new team does not count")
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("the config of PE 2, 1 contexts");
        assertThat(world.team().sum(1L)).isEqualTo(4);
        check(world, 0, 1, 4, 0, 1, 2, 3);
    }

    @EveryTeamSize
    @DisplayName("SH-T35 a new team is ready at once: its first collective follows the split")
    void isReadyAtOnce(World world) {
        for (int round = 0; round < 20; round++) {
            int size = world.size() - round % world.size();
            try (Team team = world.team().splitStrided(size - 1, -1, size)) {
                if (team.isValid()) {
                    assertThat(team.sum((long) world.pe())).isEqualTo(size * (size - 1L) / 2);
                }
            }
        }
    }

    @SpmdTest(pes = 5)
    @DisplayName("SH-T38 teams shrink to nothing: a PE that has dropped out splits Team.INVALID, alone and at once")
    void shrinks(World world) {
        List<Team> teams = new ArrayList<>(List.of(world.team()));
        for (int i = 0; i < 5; i++) {
            Team before = teams.getLast();
            if (before.isValid() && before.size() == 1) {
                assertRefused(before, 1, 1, 0, "size 0");
                teams.add(Team.INVALID);
            } else {
                teams.add(before.splitStrided(1, 1, before.size() - 1));
            }
            assertThat(teams.getLast().isValid()).isEqualTo(world.pe() > i && i < 4);
        }
        for (Team team : teams.subList(1, teams.size())) {
            if (team.isValid()) {
                assertThat(team.sum(1L)).isEqualTo(team.size());
            }
            team.close();
        }
    }

    @EveryTeamSize
    @DisplayName("teams by color, ordered by key and then by number; a negative color joins none")
    void byColor(World world) {
        int n = world.size();
        int color = world.pe() % 3 - (world.pe() == n - 1 && n > 3 ? 3 : 0);
        Comparator<Integer> order =
                Comparator.comparingInt((Integer pe) -> -pe / 2).thenComparingInt(pe -> pe);
        int[] expected = IntStream.range(0, n)
                .filter(pe -> pe % 3 == world.pe() % 3 && (pe != n - 1 || n <= 3))
                .boxed()
                .sorted(order)
                .mapToInt(Integer::intValue)
                .toArray();
        try (Team team = world.team().splitByColor(color, -world.pe() / 2)) {
            assertThat(team.isValid()).isEqualTo(color >= 0);
            if (team.isValid()) {
                assertThat(team.pes()).isEqualTo(expected);
                assertThat(team.pe(team.member())).isEqualTo(world.pe());
                assertThat(team.sum(1L)).isEqualTo(expected.length);
                assertThat(team.name()).isEqualTo("world/color" + color);
            }
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("teams by color whose members' configs differ are refused on every member of the parent")
    void byColorWithDifferentConfigs(World world) {
        TeamConfig config = TeamConfig.DEFAULT.withContexts(world.pe() == 0 ? 0 : 1);
        assertThatThrownBy(() -> world.team().splitByColor(world.pe() % 2, 0, config))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("the config of PE 2");
        try (Team mine = world.team().splitByColor(world.pe() == 0 ? 0 : 1, 0, config)) {
            assertThat(mine.config()).isEqualTo(config);
        }
    }

    @EveryTeamSize
    @DisplayName("a duplicate has the same members in the same order, and rounds of its own")
    void duplicates(World world) {
        int n = world.size();
        try (Team reversed = world.team().splitStrided(n - 1, -1, n);
                Team copy = reversed.duplicate();
                Team second = reversed.duplicate()) {
            assertThat(copy.pes()).isEqualTo(reversed.pes());
            assertThat(copy.name()).isEqualTo(reversed.name() + "/copy");
            assertThat(second.name()).isEqualTo(reversed.name() + "/copy2");
            for (int round = 0; round < 50; round++) {
                assertThat(copy.sum((long) round)).isEqualTo((long) round * n);
                assertThat(reversed.sum((long) -round)).isEqualTo((long) -round * n);
            }
        }
    }

    private static void check(World world, int start, int stride, int size, int... pes) {
        try (Team team = world.team().splitStrided(start, stride, size)) {
            int me = IntStream.range(0, size)
                    .filter(i -> pes[i] == world.pe())
                    .findFirst()
                    .orElse(-1);
            assertThat(team.isValid()).isEqualTo(me >= 0);
            assertThat(team.member()).isEqualTo(me);
            assertThat(team.size()).isEqualTo(me >= 0 ? size : -1);
            if (me >= 0) {
                assertThat(team.pes()).isEqualTo(pes);
                assertThat(team.sum(1L)).isEqualTo(size);
            }
        }
    }

    private static AbstractThrowableAssert<?, ?> assertRefused(
            Team team, int start, int stride, int size, String asked) {
        return assertThatThrownBy(() -> team.splitStrided(start, stride, size))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("splitStrided on team \"" + team.name() + "\"")
                .hasMessageContaining(asked)
                .hasMessageContaining("no team is made");
    }
}
