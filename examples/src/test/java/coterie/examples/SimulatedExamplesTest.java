// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// All programs in simulated networks, where the race detector watches.
class SimulatedExamplesTest {
    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");

    /// Each seed starts a JVM, so a build has a perturbed order only.
    private static final String SEEDS = SOAK ? "0..2" : "1..1";

    /// What a build runs: mistakes of different kinds.
    private static final Set<String> BRIEF =
            Set.of("CounterRing.java", "DistributedMap.java", "Split3D.java", "SplitStrided.java");

    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("there is a race for every program without images, which need memory that all of them map")
    void allProgramsAreThere() throws Exception {
        List<Path> programs = new ArrayList<>();
        for (Path program : ExamplesTest.programs()) {
            if (!Files.readString(program).contains("import coterie.coarray.*;")) {
                programs.add(program);
            }
        }
        assertThat(Race.ALL.stream().map(Race::path).distinct()).containsExactlyElementsOf(programs);
    }

    static List<Race> races() {
        return Race.ALL.stream()
                .filter(race -> SOAK || BRIEF.contains(race.program()))
                .toList();
    }

    static List<Race> passing() {
        return SOAK ? Race.ALL : races().subList(0, 2);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("passing")
    @DisplayName("a program passes, with and without perturbations, and has no race")
    void programPasses(Race race) throws Exception {
        ProgramRun run = ProgramRun.simulated(race.pes(), SEEDS, race.path(), race.arguments());

        assertThat(run.errors()).isEqualTo(SOAK ? List.of("coterie: sim: seeds 0..2 passed") : List.of());
        assertThat(run.exitCode()).isZero();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("races")
    @DisplayName("a mistake is caught, and the report has both places of it")
    void mistakeIsCaught(Race race) throws Exception {
        String edited = race.edited();
        Path program = Files.writeString(folder.resolve(race.program()), edited);

        ProgramRun run = ProgramRun.simulated(race.pes(), "0..9", program, race.arguments());

        assertThat(run.exitCode()).as("%s", run.errors()).isNotZero();
        Predicate<String> reports = line -> line.contains("coterie.sim.RaceException: ");
        assertThat(run.errors()).anyMatch(reports);
        int report = (int) run.errors().stream().takeWhile(reports.negate()).count();
        List<String> places = run.errors().subList(report + 1, report + 3);
        assertThat(places).anyMatch(race.reported(race.one(), edited).asMatchPredicate());
        assertThat(places).anyMatch(race.reported(race.other(), edited).asMatchPredicate());
    }
}
