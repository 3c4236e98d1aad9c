// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;

/// What happens where the memory for teams ends, which here a setting brings about.
class TeamMemoryConformanceTest {
    private static final String SETTING = "coterie.team.sync.kib";

    @AfterEach
    void asUsual() {
        System.clearProperty(SETTING);
    }

    @SpmdTest(pes = 8, modes = SpmdMode.PROCESSES)
    @DisplayName("SH-T47 one PE has no memory for its new teams: no PE gets any, and all are told which it is")
    void oneHasNone() {
        int me = pe();
        for (int poor : new int[] {0, 3, 7}) {
            if (me == poor) {
                System.setProperty(SETTING, "2"); // the lines of one team of 8, and no other
            }
            try (World world = World.join();
                    Team all = world.team().duplicate()) {
                for (int attempt = 0; attempt < 3; attempt++) {
                    assertThatThrownBy(() -> world.team().split2D(3))
                            .isInstanceOf(CoterieException.class)
                            .hasMessageContaining("split2D on team \"world\", PE " + me)
                            .hasMessageContaining("PE " + poor + " has no memory for its new teams")
                            .hasMessageContaining("no team is made");
                }
                assertThat(all.sum(1L)).isEqualTo(8);
            }
            System.clearProperty(SETTING);
        }
    }

    @SpmdTest(pes = 4, modes = SpmdMode.PROCESSES)
    @DisplayName(
            "SH-T29 teams are made until memory ends: the same one is refused to all, and one that goes makes room")
    void untilMemoryEnds() {
        System.setProperty(SETTING, "8");
        try (World world = World.join()) {
            List<Team> teams = new ArrayList<>();
            String refusal = fill(world, teams);
            assertThat(refusal)
                    .contains("duplicate on team \"world\", PE " + world.pe())
                    .contains("PE 0 has no memory for its new teams")
                    .contains("no team is made");
            assertThat(teams).hasSize(10);
            assertThat(world.team().sum((long) teams.size())).isEqualTo(40);
            teams.removeLast().close();
            teams.add(world.team().splitStrided(3, -1, 4));
            for (Team team : teams) {
                assertThat(team.sum(1L)).isEqualTo(4);
                team.close();
            }
        }
    }

    private static String fill(World world, List<Team> teams) {
        while (true) {
            try {
                teams.add(world.team().duplicate());
            } catch (CoterieException e) {
                return e.getMessage();
            }
        }
    }

    private static int pe() {
        try (World world = World.join()) {
            return world.pe();
        }
    }
}
