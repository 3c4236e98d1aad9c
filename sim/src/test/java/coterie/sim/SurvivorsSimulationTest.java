// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.Team;
import coterie.TeamRevokedException;
import coterie.World;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Whole programs, where [coterie.sim.agreement.AgreementInterleavingTest] has the agreement alone.
@DisplayName("a PE that dies at any of its operations leaves survivors that make one team")
class SurvivorsSimulationTest {
    /// A PE that has joined has done more operations than this.
    private static final int FIRST = 5;

    /// The program of a PE has fewer operations.
    private static final int LAST = 45;

    @ParameterizedTest
    @CsvSource({"3, 0", "3, 2", "4, 1"})
    void dies(int pes, int dying) {
        int deaths = 0;
        for (int operation = FIRST; operation < LAST; operation++) {
            for (String order : List.of("native", "weak")) {
                deaths += dies(pes, dying, "die=" + dying + "@" + operation + ",order=" + order + ",seed=" + operation);
            }
        }
        assertThat(deaths).isGreaterThan(10);
    }

    /// Returns 1 if the PE has died after all had joined, else 0.
    private static int dies(int pes, int dying, String script) {
        Map<Integer, List<Integer>> teams = new ConcurrentHashMap<>();
        Map<Integer, Boolean> joined = new ConcurrentHashMap<>();
        Map<Integer, Throwable> failures = SimJob.run(pes, script, world -> {
                    world.team().barrier();
                    joined.put(world.pe(), true);
                    Team survivors = world.team().survivors();
                    while (!isWhole(survivors, world)) {
                        survivors = survivors.survivors();
                    }
                    teams.put(world.pe(), IntStream.of(survivors.pes()).boxed().toList());
                })
                .failures();
        if (joined.size() < pes || teams.containsKey(dying)) {
            return 0;
        }
        assertThat(failures.values())
                .as(script)
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageStartingWith("close of the world"));
        assertThat(teams.keySet())
                .as(script)
                .containsExactlyElementsOf(IntStream.range(0, pes)
                        .filter(pe -> pe != dying)
                        .boxed()
                        .toList());
        assertThat(teams.values()).as(script).allMatch(teams.keySet().stream().toList()::equals);
        return 1;
    }

    private static boolean isWhole(Team team, World world) {
        try {
            assertThat(team.sum(1L)).isEqualTo(team.size());
            return team.size() < world.size();
        } catch (PeFailedException | TeamRevokedException e) {
            team.revoke();
            return false;
        }
    }
}
