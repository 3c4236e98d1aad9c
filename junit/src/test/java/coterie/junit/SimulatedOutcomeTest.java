// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.engine.TestExecutionResult;
import org.opentest4j.TestAbortedException;

/// How tests in simulated networks end, and how often they run.
@AsNoRunAsks
class SimulatedOutcomeTest {
    @TempDir
    private Path folder;

    private String[] performances(String display) {
        System.setProperty(Samples.FOLDER, folder.toString());
        assertThat(SampleRun.of(SimulatedSamples.Counting.class, "counts").results())
                .containsOnlyKeys("counts " + display)
                .allSatisfy((name, result) -> assertPassed(result));
        String[] files = folder.toFile().list();
        return files == null ? new String[0] : files;
    }

    @Test
    @DisplayName("each PE of a test runs once for each seed, in one JVM")
    void runsEverySeed() {
        assertThat(performances("[3 simulated PEs]")).hasSize(3 * 7).contains("0 1", "2 7");
    }

    @Test
    @DisplayName("a property stands above the number of seeds, and another names one seed")
    void propertiesSayWhichSeeds() {
        System.setProperty(Seeds.NUMBER, "11");
        assertThat(performances("[3 simulated PEs]")).hasSize(3 * 11);
    }

    @Test
    @DisplayName("a single seed runs once")
    void oneSeed() {
        System.setProperty(Seeds.ONE, "11");
        assertThat(performances("[3 simulated PEs]")).hasSize(3);
    }

    @Test
    @DisplayName("a deadlock ends the test at once, and the message has what each PE waits for")
    void deadlocks() {
        assertThat(SampleRun.of(SimulatedSamples.Ending.class, "deadlocks").error("deadlocks", SpmdMode.SIM))
                .hasMessageContaining("2 simulated PEs, seed 0: PE ")
                .hasMessageContaining("DeadlockException")
                .hasMessageContaining("PE 1: waiting in")
                .hasMessageContaining("4711");
    }

    @Test
    @DisplayName("a failed assumption aborts the test, although the others can't go on")
    void aborts() {
        assertThat(SampleRun.of(SimulatedSamples.Ending.class, "isAborted").error("isAborted", SpmdMode.SIM))
                .isInstanceOf(TestAbortedException.class)
                .hasMessageContaining("PE 1 is not in the mood");
    }

    @Test
    @DisplayName("a PE that ends the JVM fails the test, and the seed is named")
    void exits() {
        assertThat(SampleRun.of(SimulatedSamples.Ending.class, "exits").error("exits", SpmdMode.SIM))
                .hasMessageContaining("2 simulated PEs, seed 0: a PE ended during the test")
                .hasMessageContaining("exit code 9")
                .hasMessageContaining("Repeat with -Dcoterie.sim.script=seed=0");
    }

    @Test
    @DisplayName("time is the simulation's: an hour's wait ends at once")
    void waitsInVirtualTime() {
        assertThat(SampleRun.of(SimulatedSamples.Ending.class, "waitsInVirtualTime")
                        .results())
                .hasSize(1)
                .allSatisfy((name, result) -> assertPassed(result));
    }

    @Test
    @DisplayName("no seed at all, and settings that contradict each other, are refused")
    void refusesSeeds() {
        assertThat(SampleRun.of(SimulatedSamples.WithoutSeeds.class)
                        .containers()
                        .values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("WithoutSeeds.runs: seeds is 0, less than 1"));
        System.setProperty(Seeds.ONE, "1");
        System.setProperty(Seeds.SETTINGS, "seed=2");
        assertThat(SampleRun.of(SimulatedSamples.Racing.class).containers().values())
                .anySatisfy(result -> assertThat(result.getThrowable().orElseThrow())
                        .hasMessageContaining("coterie.sim.seed is 1, and coterie.sim.script says seed=2"));
    }

    private static void assertPassed(TestExecutionResult result) {
        assertThat(result.getStatus())
                .as(() -> result.getThrowable().map(SampleRun::print).orElse("passed"))
                .isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
    }
}
