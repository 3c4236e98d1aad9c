// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import coterie.trace.TraceCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The steps of the tutorial in which the launcher reports something. The words around what is tested here may change.
class TutorialReportsTest {
    private static final String FAILURE = "Step08Failure";
    private static final String DEADLOCK = "Step09Deadlock";
    private static final String TRACE = "Step10Trace";

    private static final String STALL = "--stall=700ms";

    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("the tutorial's last three steps have reports, and no others")
    void stepsWithReports() throws IOException {
        assertThat(TutorialStep.all().stream()
                        .filter(step -> !step.report().isEmpty())
                        .map(TutorialStep::toString))
                .containsExactly(FAILURE, DEADLOCK, TRACE);
    }

    private static void check(TutorialStep step, ProgramRun run, int exitCode, String... essentials) {
        assertThat(run.output()).as(run.toString()).containsExactlyInAnyOrderElementsOf(step.output());
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(exitCode);
        assertThat(String.join("\n", run.errors())).contains(essentials);
        assertThat(step.report()).as("the page").contains(essentials);
    }

    @ParameterizedTest
    @ValueSource(strings = {"processes", "threads"})
    @DisplayName("a failure survived: the others go on, and the launcher names the PE that has failed")
    void failure(String mode) throws Exception {
        TutorialStep step = TutorialStep.named(FAILURE);

        check(step, step.run(mode, step.program()), 0, "coterie: PE 1 ");
    }

    @Test
    @DisplayName("a deadlock explained: the report has the wait, its line, and what would end it")
    void deadlock() throws Exception {
        TutorialStep step = TutorialStep.named(DEADLOCK);

        check(
                step,
                step.run("threads", step.program(), STALL),
                ExitCode.DEADLOCK.code(),
                "coterie: DEADLOCK",
                "waitUntil",
                "Step09Deadlock.java:10",
                "GE 1");
    }

    @Test
    @DisplayName("the deadlock is mended as the page says: by a swap of two lines")
    void deadlockIsMended() throws Exception {
        TutorialStep step = TutorialStep.named(DEADLOCK);
        Path mended = Files.writeString(
                folder.resolve("Mended.java"),
                step.code().replaceFirst("( +ready\\.waitUntil.*\n)( +ready\\.add.*\n)", "$2$1"));

        ProgramRun run = step.run("threads", mended, STALL);

        assertThat(run.output())
                .as(run.toString())
                .containsExactlyInAnyOrder("PE 0 goes on", "PE 1 goes on", "PE 2 goes on", "PE 3 goes on");
        assertThat(run.exitCode()).isZero();
    }

    @Test
    @DisplayName("a trace read: the wait of each PE but the first is ended by an operation of the PE before it")
    void traceIsStairs() throws Exception {
        TutorialStep step = TutorialStep.named(TRACE);

        check(step, step.run("threads", step.program(), "-o", folder.toString()), 0, "report.html");

        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        for (int pe = 1; pe < 4; pe++) {
            double before = pe - 1.0;
            double waiter = pe;
            Map<String, Object> wait = trace.phase("X").stream()
                    .filter(slice -> slice.get("name").equals("waitUntil")
                            && slice.get("pid").equals(waiter))
                    .findFirst()
                    .orElseThrow();
            Set<Object> ids = trace.phase("s").stream()
                    .filter(start -> start.get("pid").equals(before))
                    .map(start -> start.get("id"))
                    .collect(Collectors.toSet());
            List<Map<String, Object>> arrows = trace.phase("f").stream()
                    .filter(finish -> finish.get("pid").equals(waiter) && ids.contains(finish.get("id")))
                    .toList();
            assertThat(arrows)
                    .as("an arrow from PE %s into the wait of PE %s", before, waiter)
                    .anyMatch(finish -> micros(finish, "ts") > micros(wait, "ts")
                            && micros(finish, "ts") <= micros(wait, "ts") + micros(wait, "dur"));
        }
    }

    private static double micros(Map<String, Object> event, String time) {
        return (Double) event.get(time);
    }
}
