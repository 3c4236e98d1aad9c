// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult.Status;

/// What a test may not leave behind, and how a failure tells its cause.
@AsNoRunAsks
class LeftoverTest {
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
    @DisplayName("symmetric memory that is not freed fails the test, and its size is named")
    void leaks() {
        assertThat(SampleRun.errors(Samples.Leaking.class, "keepsABlock"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error).hasMessageContaining("after the test").hasMessageMatching("(?s).*10[0-9]{2}.*");
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
