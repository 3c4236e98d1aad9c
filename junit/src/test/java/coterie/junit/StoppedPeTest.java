// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult.Status;

/// How a test ends that the harness or the system stops, and what it leaves behind.
@AsNoRunAsks
class StoppedPeTest {
    @BeforeEach
    void tellSamplesWhoRunsJUnit() {
        System.setProperty(
                Samples.JUNIT_PID, Long.toString(ProcessHandle.current().pid()));
    }

    private static Pattern dotAll(String regex) {
        return Pattern.compile(regex, Pattern.DOTALL);
    }

    @Test
    @DisplayName("an exception arrives with its cause, and the error names the PEs that were left waiting")
    void failsWithCause() {
        assertThat(SampleRun.errors(Samples.FailingInPe1.class, "throwsWithCause"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error).hasMessageContaining("PE 1 failed: java.lang.IllegalStateException: outer");
                    assertThat(SampleRun.print(error)).contains("Caused by: java.io.IOException: inner");
                    assertThat(error.getSuppressed())
                            .singleElement()
                            .satisfies(other -> assertThat(other)
                                    .hasMessageContaining("PE 0 had to be stopped: waiting in barrier"));
                });
    }

    @Test
    @DisplayName("a PE that ends its JVM fails the test with its exit code")
    void dies() {
        assertThat(SampleRun.errors(Samples.Dying.class, "halts")).hasSize(2).allSatisfy((mode, error) -> {
            assertThat(error)
                    .hasMessageContaining("a PE ended during the test")
                    .hasMessageMatching(dotAll(".*PE 1: [^\\n]*exit code 9[^\\n0-9].*"));
        });
    }

    @Test
    @DisplayName("a PE that is killed fails the test with the signal")
    void isKilled() {
        Throwable error = SampleRun.of(Samples.Dying.class, "isKilled").error("isKilled", SpmdMode.PROCESSES);

        assertThat(error)
                .hasMessageContaining("a PE ended during the test")
                .hasMessageMatching(dotAll(".*PE 1: ended [^\\n]*137.*"));
    }

    @Test
    @DisplayName("a PE that spins outside of the runtime is killed at the deadline, with a dump of where it was")
    void spins() {
        assertThat(SampleRun.errors(Samples.Hanging.class, "spinsWithoutTheRuntime"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error)
                            .hasMessageContaining("not done after 2 s")
                            .hasMessageContaining("PE 1: running")
                            .hasMessageContaining("Threads of the PEs:")
                            .hasMessageContaining("Samples$Hanging.spinsWithoutTheRuntime");
                });
    }

    @Test
    @DisplayName("a PE that waits for ever is killed at the deadline, and the error has what it waits for")
    void waitsForEver() {
        assertThat(SampleRun.errors(Samples.Hanging.class, "waitsForEver"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error)
                            .hasMessageContaining("not done after 2 s")
                            .hasMessageMatching(dotAll(".*PE 1: waiting in [^\\n]*4711.*"))
                            .hasMessageContaining("Samples$Hanging.waitsForEver");
                });
    }

    @Test
    @DisplayName("symmetric memory that is not freed fails the test, and its size is named")
    void leaks() {
        assertThat(SampleRun.errors(Samples.Leaking.class, "keepsABlock"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error)
                            .hasMessageContaining("after the test")
                            .hasMessageMatching(dotAll(".*10[0-9]{2}.*"));
                });
    }

    @Test
    @DisplayName("a world that the test joined and left open fails it")
    void leavesItsWorldOpen() {
        assertThat(SampleRun.of(Samples.Leaking.class).results().values())
                .hasSize(4)
                .allSatisfy(result -> assertThat(result.getStatus()).isEqualTo(Status.FAILED));
    }
}
