// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;

/// How a test ends, for each event of its PEs.
@AsNoRunAsks
class SpmdOutcomeTest {
    @BeforeEach
    void tellSamplesWhoRunsJUnit() {
        System.setProperty(
                Samples.JUNIT_PID, Long.toString(ProcessHandle.current().pid()));
    }

    @Test
    @DisplayName("a test that every PE passes passes, once for each mode and number of PEs, outside of JUnit's JVM")
    void passes() {
        SampleRun run = SampleRun.of(Samples.Passing.class, "knowsItsWorld");

        assertThat(run.results())
                .containsOnlyKeys(
                        "knowsItsWorld [1 process]",
                        "knowsItsWorld [3 processes]",
                        "knowsItsWorld [1 thread]",
                        "knowsItsWorld [3 threads]")
                .allSatisfy((name, result) -> assertPassed(result));
    }

    @Test
    @DisplayName("a test without parameter joins by itself, and may close")
    void passesWithoutWorld() {
        assertThat(SampleRun.of(Samples.Passing.class).results()).allSatisfy((name, result) -> assertPassed(result));
    }

    @Test
    @DisplayName("what is before and after each test runs in the PEs, superclasses and enclosing instances first")
    void setsUp() {
        SampleRun run = SampleRun.of(Samples.SettingUp.class, "inherited");

        assertThat(run.results()).hasSize(2).allSatisfy((name, result) -> assertPassed(result));
        assertThat(SampleRun.of(Samples.SettingUp.Inner.class).results())
                .hasSize(2)
                .allSatisfy((name, result) -> assertPassed(result));
    }

    @Test
    @DisplayName("ordinary tests of the same class run in JUnit's JVM as ever")
    void leavesOrdinaryTestsAlone() {
        assertThat(SampleRun.of(Samples.BesideOrdinaryTests.class).results())
                .containsOnlyKeys("ordinary ordinary()", "spmd [1 process]", "spmd [1 thread]")
                .allSatisfy((name, result) -> assertPassed(result));
    }

    @Test
    @DisplayName("a parameter that PEs can't have, or no number of PEs, is refused with the method's name")
    void refusesMisdeclaredTests() {
        assertThat(SampleRun.of(Samples.Misdeclared.class).containers().values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("Misdeclared.takesTooMuch")
                        .hasMessageContaining("takes a coterie.World, or nothing"));
        assertThat(SampleRun.of(Samples.WithoutPes.class).containers().values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("WithoutPes.runs")
                        .hasMessageContaining("pes has 0, outside [1, 1024]"));
    }

    @Test
    @DisplayName("nodes that can't be read, or are of another number of PEs, are refused with the method's name")
    void refusesNodes() {
        assertThat(SampleRun.of(Samples.OnUnreadableNodes.class).containers().values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("OnUnreadableNodes.runs: nodes is \"a:1,b\": \"b\" is not NAME:N"));
        assertThat(SampleRun.of(Samples.OnNodesOfOthers.class).containers().values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("OnNodesOfOthers.runs: nodes is \"a:3,b:2\", 5 PEs, and pes has 4"));
    }

    private static void assertPassed(TestExecutionResult result) {
        assertThat(result.getStatus())
                .as(() -> result.getThrowable().map(SampleRun::print).orElse("passed"))
                .isEqualTo(Status.SUCCESSFUL);
    }
}
