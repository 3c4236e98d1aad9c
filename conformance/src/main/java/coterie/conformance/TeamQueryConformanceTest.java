// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Context;
import coterie.ElementView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;

/// What a team says of itself, and Team.INVALID of nothing.
class TeamQueryConformanceTest {

    @EveryTeamSize
    @DisplayName("SH-T1 the world team's member i is PE i")
    void theWorldTeam(World world) {
        Team team = world.team();
        assertThat(team.isValid()).isTrue();
        assertThat(team.name()).isEqualTo("world");
        assertThat(team.member()).isEqualTo(world.pe());
        assertThat(team.size()).isEqualTo(world.size());
        assertThat(team.pes()).isEqualTo(IntStream.range(0, world.size()).toArray());
        for (int i = 0; i < world.size(); i++) {
            assertThat(team.pe(i)).isEqualTo(i);
            assertThat(team.translate(i, team)).isEqualTo(i);
        }
        for (int none : new int[] {-1, world.size(), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThat(team.translate(none, team)).isEqualTo(-1);
            assertThatThrownBy(() -> team.pe(none))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("pe on team \"world\", PE " + world.pe() + ": member " + none)
                    .hasMessageContaining("[0, " + world.size() + ")");
        }
    }

    @EveryTeamSize
    @DisplayName("SH-T2 Team.INVALID answers −1, splits into itself, and is closed for nothing")
    void invalidAnswers(World world) {
        Team invalid = Team.INVALID;
        assertThat(invalid.isValid()).isFalse();
        assertThat(invalid.member()).isEqualTo(-1);
        assertThat(invalid.size()).isEqualTo(-1);
        assertThat(invalid.pe(0)).isEqualTo(-1);
        assertThat(invalid.pes()).isEmpty();
        assertThat(invalid.translate(0, world.team())).isEqualTo(-1);
        assertThat(world.team().translate(0, invalid)).isEqualTo(-1);
        assertThat(invalid.splitStrided(0, 1, 1)).isSameAs(invalid);
        assertThat(invalid.split2D(1)).isEqualTo(new Team.Axes(invalid, invalid));
        assertThat(invalid.splitByColor(0, 0)).isSameAs(invalid);
        assertThat(invalid.duplicate()).isSameAs(invalid);
        assertThat(invalid.createContext()).isSameAs(Context.INVALID);
        invalid.close();
        invalid.close();
        try (SymmetricMemory memory = world.allocate(8)) {
            assertThat(memory.segment(invalid, 0)).isEmpty();
        }
    }

    @EveryTeamSize
    @DisplayName("SH-T2, SH-C20 config and collectives of Team.INVALID are refused at once")
    void invalidRefuses(World world) {
        Team invalid = Team.INVALID;
        try (SymmetricMemory memory = world.allocate(64)) {
            ElementView longs = memory.longs();
            List<ThrowingCallable> refused = List.of(
                    invalid::config,
                    invalid::barrier,
                    invalid::sync,
                    () -> invalid.sum(1L),
                    () -> invalid.sum(1.0),
                    () -> invalid.allReduce(Reduction.MAX, longs, 0, longs, 1, 1),
                    () -> invalid.inclusiveScan(Reduction.SUM, longs, 0, longs, 1, 1),
                    () -> invalid.exclusiveScan(Reduction.SUM, longs, 0, longs, 1, 1),
                    () -> invalid.reduceScatter(Reduction.SUM, longs, 0, longs, 1, 1),
                    () -> invalid.broadcast(longs, 0, longs, 1, 1, 0),
                    () -> invalid.allGatherV(longs, 0, longs, 1, 1),
                    () -> invalid.allGather(longs, 0, longs, 1, 1),
                    () -> invalid.allToAll(longs, 0, longs, 1, 1),
                    () -> invalid.allToAllStrided(longs, 0, 1, longs, 1, 1, 1));
            assertThat(refused)
                    .allSatisfy(call -> assertThatThrownBy(call)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("Team.INVALID"));
        }
    }

    @SpmdTest(pes = 12)
    @DisplayName("SH-T21 a number is translated between teams that share some PEs; −1 where the PE is not in both")
    void translates(World world) {
        Team all = world.team();
        Team evens = all.splitStrided(0, 2, 6);
        Team thirds = all.splitStrided(0, 3, 4);
        if (evens.isValid() && thirds.isValid()) {
            assertThat(evens.translate(3, thirds)).isEqualTo(2);
            assertThat(evens.translate(1, thirds)).isEqualTo(-1);
            assertThat(thirds.translate(3, evens)).isEqualTo(-1);
            assertThat(thirds.translate(4, evens)).isEqualTo(-1);
        }
        if (evens.isValid()) {
            assertThat(evens.translate(5, all)).isEqualTo(10);
            assertThat(evens.translate(6, all)).isEqualTo(-1);
            assertThat(all.translate(10, evens)).isEqualTo(5);
            assertThat(all.translate(9, evens)).isEqualTo(-1);
        } else {
            assertThat(evens).isSameAs(Team.INVALID);
            assertThat(evens.translate(3, thirds)).isEqualTo(-1);
        }
        evens.close();
        thirds.close();
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8, 12})
    @DisplayName("SH-T24 a team tells the config that it was made with; the default has no contexts")
    void tellsItsConfig(World world) {
        assertThat(world.team().config()).isEqualTo(TeamConfig.DEFAULT);
        assertThat(TeamConfig.DEFAULT.contexts()).isZero();
        try (Team three = world.team().splitStrided(0, 1, world.size(), TeamConfig.DEFAULT.withContexts(3));
                Team none = world.team().splitStrided(0, 1, world.size());
                Team copy = three.duplicate()) {
            assertThat(three.config().contexts()).isEqualTo(3);
            assertThat(none.config()).isEqualTo(TeamConfig.DEFAULT);
            assertThat(copy.config()).as("a copy's config is its own").isEqualTo(TeamConfig.DEFAULT);
        }
        assertThatThrownBy(() -> TeamConfig.DEFAULT.withContexts(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1 contexts");
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-T46 a team member's part of a block is that of the PE it is")
    void pointsByMember(World world) {
        try (SymmetricMemory memory = world.allocate(64);
                Team reversed = world.team().splitStrided(3, -1, 4)) {
            assertThat(memory.segment(reversed, reversed.member())).contains(memory.segment());
            for (int i = 0; i < 4; i++) {
                assertThat(memory.segment(reversed, i)).isEqualTo(memory.segment(3 - i));
            }
            assertThatThrownBy(() -> memory.segment(reversed, 4)).isInstanceOf(IndexOutOfBoundsException.class);
        }
    }

    @EveryTeamSize
    @DisplayName("SH-T44 on one node the shared team and the node's have all PEs, a team of same indices me alone")
    void predefinedTeams(World world) {
        int[] all = world.team().pes();
        int[] direct;
        try (SymmetricMemory memory = world.allocate(8)) {
            direct = Arrays.stream(all)
                    .filter(pe -> memory.segment(pe).isPresent())
                    .toArray();
        }
        assertThat(world.nodeTeam().pes()).isEqualTo(all);
        assertThat(world.sharedTeam().pes()).isEqualTo(direct);
        assertThat(world.sameIndexTeam().pes()).containsExactly(world.pe());
        assertThat(world.nodeTeam()).isSameAs(world.nodeTeam());
        assertThat(world.nodeTeam().sum((long) world.pe()))
                .isEqualTo(world.team().sum((long) world.pe()));
        assertThat(world.sharedTeam().sum(1L)).isEqualTo(direct.length);
        assertThat(world.sameIndexTeam().sum(7L)).isEqualTo(7);
    }
}
