// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Teams of rows and columns.
class GridConformanceTest {

    @SpmdTest(pes = 10)
    @DisplayName("SH-T14 ten PEs in rows of three: four rows, the last one short, and three columns")
    void tenInRowsOfThree(World world) {
        int x = world.pe() % 3;
        int y = world.pe() / 3;
        Team.Axes axes = world.team().split2D(3);
        assertThat(axes.x().pes())
                .isEqualTo(IntStream.range(3 * y, Math.min(3 * y + 3, 10)).toArray());
        assertThat(axes.y().pes()).isEqualTo(x == 0 ? new int[] {0, 3, 6, 9} : new int[] {x, x + 3, x + 6});
        assertThat(axes.x().member()).isEqualTo(x);
        assertThat(axes.y().member()).isEqualTo(y);
        assertThat(axes.x().name()).isEqualTo("world/x" + y);
        assertThat(axes.y().name()).isEqualTo("world/y" + x);
        long teams = world.team().sum(axes.x().member() == 0 ? 1L : 0)
                + world.team().sum(axes.y().member() == 0 ? 1L : 0);
        assertThat(teams).isEqualTo(7);
        close(axes);
    }

    @SpmdTest(pes = 5)
    @DisplayName("SH-T15 rows longer than the team: one row, and each PE a column of its own")
    void oneRow(World world) {
        for (int xSize : new int[] {5, 8, Integer.MAX_VALUE}) {
            Team.Axes axes = world.team().split2D(xSize);
            assertThat(axes.x().pes()).containsExactly(0, 1, 2, 3, 4);
            assertThat(axes.y().pes()).containsExactly(world.pe());
            close(axes);
        }
    }

    @SpmdTest(pes = 5)
    @DisplayName("SH-T16 rows of one: each PE a row of its own, and one column")
    void oneColumn(World world) {
        Team.Axes axes = world.team().split2D(1);
        assertThat(axes.x().pes()).containsExactly(world.pe());
        assertThat(axes.y().pes()).containsExactly(0, 1, 2, 3, 4);
        assertThat(axes.y().member()).isEqualTo(world.pe());
        close(axes);
    }

    @SpmdTest(pes = 5)
    @DisplayName("SH-T17 rows of 0 and less, or of different lengths, are refused on every member")
    void refusesBadRows(World world) {
        for (int xSize : new int[] {0, -3, Integer.MIN_VALUE}) {
            assertThatThrownBy(() -> world.team().split2D(xSize))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("split2D on team \"world\"")
                    .hasMessageContaining("rows of " + xSize + "; allowed are 1 and more");
        }
        assertThatThrownBy(() -> world.team().split2D(world.pe() == 4 ? 0 : 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PE 4 passes rows of 0");
        assertThatThrownBy(() -> world.team().split2D(world.pe() == 1 ? 3 : 2))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("disagree on the xSize: 2 on PEs [0, 2, 3, 4], 3 on PEs [1]");
        assertThat(world.team().sum(1L)).isEqualTo(5);
    }

    @SpmdTest(pes = 12)
    @DisplayName("SH-T18, SH-T19 two 2-D splits make three dimensions of 3 × 2 × 2")
    void threeDimensions(World world) {
        int pe = world.pe();
        int x = pe % 3;
        int y = pe / 3 % 2;
        int z = pe / 6;
        Team.Axes plane = world.team().split2D(3);
        Team.Axes column = plane.y().split2D(2);
        assertThat(plane.x().member()).isEqualTo(x);
        assertThat(column.x().member()).isEqualTo(y);
        assertThat(column.y().member()).isEqualTo(z);
        int row = pe - x;
        assertThat(plane.x().pes()).containsExactly(row, row + 1, row + 2);
        assertThat(column.x().pes()).containsExactly(x + 6 * z, x + 6 * z + 3);
        assertThat(column.y().pes()).containsExactly(x + 3 * y, x + 3 * y + 6);
        assertThat(world.team().sum(plane.x().member() == 0 ? 1L : 0)).isEqualTo(4);
        assertThat(world.team().sum(column.x().member() == 0 ? 1L : 0)).isEqualTo(6);
        assertThat(world.team().sum(column.y().member() == 0 ? 1L : 0)).isEqualTo(6);
        close(column);
        close(plane);
    }

    @SpmdTest(pes = 10)
    @DisplayName("SH-T25 columns may have different configs, as long as each has one")
    void configsPerTeam(World world) {
        TeamConfig five = TeamConfig.DEFAULT.withContexts(5);
        TeamConfig mine = world.pe() % 3 == 0 ? five : TeamConfig.DEFAULT;
        Team.Axes axes = world.team().split2D(3, TeamConfig.DEFAULT, mine);
        assertThat(axes.x().config()).isEqualTo(TeamConfig.DEFAULT);
        assertThat(axes.y().config()).isEqualTo(mine);
        close(axes);
        assertThatThrownBy(() -> world.team().split2D(3, mine, TeamConfig.DEFAULT))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("the config of PE 1, 0 contexts and 0 contexts,");
        assertThat(world.team().sum(1L)).isEqualTo(10);
    }

    @EveryTeamSize
    @DisplayName("every length of rows: all PEs have their places, and rows and columns their sums")
    void everyGrid(World world) {
        int n = world.size();
        for (int width = 1; width <= n; width++) {
            Team.Axes axes = world.team().split2D(width);
            int x = world.pe() % width;
            int y = world.pe() / width;
            assertThat(axes.x().member()).isEqualTo(x);
            assertThat(axes.y().member()).isEqualTo(y);
            int step = width;
            assertThat(axes.y().pes())
                    .isEqualTo(
                            IntStream.iterate(x, pe -> pe < n, pe -> pe + step).toArray());
            assertThat(axes.x().sum(1L)).isEqualTo(axes.x().size());
            assertThat(axes.y().sum((long) y))
                    .isEqualTo(axes.y().size() * (axes.y().size() - 1L) / 2);
            close(axes);
        }
    }

    private static void close(Team.Axes axes) {
        axes.y().close();
        axes.x().close();
    }
}
