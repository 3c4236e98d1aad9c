// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.TeamRequest;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Teams that members make by posts, while they do something else.
class PostedSplitConformanceTest {

    @SpmdTest(pes = {1, 2, 5, 7})
    @DisplayName("UC-16 posted splits make the teams of the splits that wait, whichever ends first")
    void sameTeams(World world) {
        Team all = world.team();
        int me = world.pe();
        int most = (world.size() + 1) / 2;
        for (int round = 0; round < Rounds.of(20); round++) {
            TeamRequest<Team> evens = all.postSplitStrided(0, 2, most);
            TeamRequest<Team.Axes> grid = all.postSplit2D(2);
            TeamRequest<Team> colors = all.postSplitByColor(me % 3 - 1, -me);
            TeamRequest<Team> copy = all.postDuplicate();
            Team waited = all.duplicate();
            assertSame(copy.await(), waited);
            assertSame(colors.await(), all.splitByColor(me % 3 - 1, -me));
            Team.Axes others = all.split2D(2);
            assertSame(grid.await().x(), others.x());
            assertSame(grid.await().y(), others.y());
            assertSame(evens.await(), all.splitStrided(0, 2, most));
        }
    }

    private static void assertSame(Team posted, Team waited) {
        assertThat(posted.pes()).containsExactly(waited.pes());
        assertThat(posted.isValid()).isEqualTo(waited.isValid());
        if (posted.isValid()) {
            assertThat(posted.sum(1L)).isEqualTo(waited.size());
            posted.close();
            waited.close();
        }
    }

    @SpmdTest(pes = {2, 5})
    @DisplayName("UC-16 many posted splits at once: all end while their members compute and poll, in any order")
    void many(World world) {
        List<TeamRequest<Team>> posted = new ArrayList<>();
        for (int split = 0; split < 12; split++) {
            posted.add(world.team().postSplitByColor((world.pe() + split) % 2, split));
        }
        boolean allEnded = false;
        while (!allEnded) {
            world.progress();
            allEnded = true;
            for (TeamRequest<Team> each : posted) {
                allEnded &= each.test();
            }
        }
        for (TeamRequest<Team> each : posted.reversed()) {
            Team made = each.await();
            assertThat(made.sum(1L)).isEqualTo(made.size());
            made.close();
        }
    }

    @SpmdTest(pes = {2, 5})
    @DisplayName("UC-16 members that disagree on a posted split all get what differs, and the team goes on")
    void disagreement(World world) {
        Team all = world.team();
        for (int round = 0; round < Rounds.of(40); round++) {
            boolean isOdd = world.pe() == round % world.size();
            TeamRequest<Team.Axes> grid = all.postSplit2D(isOdd ? 1 : 2);
            TeamRequest<Team> strided = all.postSplitStrided(0, 1, world.size() + (isOdd ? 1 : 0));
            TeamRequest<Team> copy = all.postDuplicate();
            assertThatThrownBy(grid::await)
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContaining("members disagree on the xSize");
            assertThatThrownBy(strided::await)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("splitStrided on team");
            copy.await().close();
            all.barrier();
        }
    }
}
