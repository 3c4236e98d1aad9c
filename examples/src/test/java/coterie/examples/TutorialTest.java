// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The tutorial shows its programs as they are, and what they print; [TutorialReportsTest] has the steps for which
/// the launcher has something to say.
class TutorialTest {
    private static final Path FOLDER = ProgramRun.EXAMPLES.resolve("tutorial");

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// A build runs the programs as threads, the long tier also as processes, as [TutorialReportsTest] runs one.
    static List<Arguments> runs() throws IOException {
        List<Arguments> runs = new ArrayList<>();
        for (TutorialStep step : TutorialStep.all()) {
            for (String mode : List.of("processes", "threads")) {
                boolean isBrief = mode.equals("threads");
                if (step.report().isEmpty() && (isBrief || Boolean.getBoolean("coterie.soak"))) {
                    runs.add(Arguments.of(step, mode));
                }
            }
        }
        return runs;
    }

    @Test
    @DisplayName("the page has each program of the folder, in order, as it is in its file")
    void pageShowsThePrograms() throws IOException {
        List<TutorialStep> steps = TutorialStep.all();
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(steps.stream().map(TutorialStep::program))
                    .containsExactlyElementsOf(files.sorted().toList());
        }
        for (TutorialStep step : steps) {
            assertThat(step.code())
                    .as(step.toString())
                    .isEqualTo(Files.readString(step.program())
                            .lines()
                            .filter(line -> !line.startsWith("// SPDX") && !line.startsWith("///"))
                            .collect(Collectors.joining("\n", "", "\n")));
        }
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("runs")
    @DisplayName("each command of the page prints what the page says")
    void commandPrints(TutorialStep step, String mode) throws Exception {
        ProgramRun run = step.run(mode, step.program());

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).containsExactlyInAnyOrderElementsOf(step.output());
    }
}
