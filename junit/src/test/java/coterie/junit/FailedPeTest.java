// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/// How a test ends if a PE of it fails or aborts.
@AsNoRunAsks
class FailedPeTest {
    @Test
    @DisplayName("one PE's failed assertion fails the test with its number, frames, and all output by PE")
    void failsInOnePe() {
        assertThat(SampleRun.errors(Samples.FailingInPe1.class, "asserts"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error)
                            .isInstanceOf(AssertionFailedError.class)
                            .hasMessageContaining(mode.count(2) + ": PE 1 failed")
                            .hasMessageContaining("only PE 0 may pass ==> expected: <0> but was: <1>")
                            .hasMessageContaining("[0] good day")
                            .hasMessageContaining("[1] good day")
                            .hasMessageContaining("[1] bad day")
                            .hasMessageContaining("[1] no end of line")
                            .hasNoSuppressedExceptions();
                    assertThat(error.getStackTrace()).as("frames of the PE").anySatisfy(frame -> {
                        assertThat(frame.getClassName()).isEqualTo(Samples.FailingInPe1.class.getName());
                        assertThat(frame.getMethodName()).isEqualTo("asserts");
                        assertThat(frame.getLineNumber()).isPositive();
                    });
                });
    }

    @Test
    @DisplayName("where all PEs fail, one is the error and the others are suppressed in it")
    void failsEverywhere() {
        assertThat(SampleRun.errors(Samples.FailingEverywhere.class, "each"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error.getSuppressed()).hasSize(1);
                    assertThat(SampleRun.print(error)).contains("this is 0").contains("this is 1");
                });
    }

    @Test
    @DisplayName("a failed assumption in one PE aborts the test")
    void aborts() {
        SampleRun run = SampleRun.of(Samples.FailingInPe1.class, "isAborted");

        for (SpmdMode mode : SampleRun.BY_DEFAULT) {
            assertThat(run.error("isAborted", mode))
                    .isInstanceOf(TestAbortedException.class)
                    .hasMessageContaining("PE 1 aborted")
                    .hasMessageContaining("PE 1 is not in the mood");
        }
        assertThat(run.results().values())
                .extracting(TestExecutionResult::getStatus)
                .containsOnly(Status.ABORTED);
    }

    @Test
    @DisplayName("a failure after each test fails the test")
    void failsAfterwards() {
        assertThat(SampleRun.errors(Samples.SettingUp.class, "spoiledAfterwards"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error).hasMessageContaining("PE 1 failed: java.lang.IllegalStateException: after each");
                });
    }
}
