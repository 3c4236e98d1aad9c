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
                    assertThat(error)
                            .hasMessageContaining("after the test")
                            .hasMessageContaining("a block of memory is not closed")
                            .hasMessageContaining("allocated at Samples.java:")
                            .hasMessageMatching("(?s).*10[0-9]{2}.*");
                });
    }

    @Test
    @DisplayName("a PE that does not come to the end of the test is named first, and after it what another has left")
    void hangBesideALeak() {
        assertThat(SampleRun.errors(Samples.LeakingBesideAHang.class, "waitsForPe0"))
                .hasSize(2)
                .allSatisfy((mode, error) -> {
                    assertThat(error)
                            .hasMessageContaining("not done after 2 s")
                            .hasMessageContaining("PE 0: done, but left something behind")
                            .hasMessageContaining("PE 1: waiting in barrier");
                    assertThat(error.getSuppressed())
                            .singleElement()
                            .satisfies(other -> assertThat(other).hasMessageContaining("allocated at Samples.java:"));
                });
    }

    @Test
    @DisplayName("PEs that throw alike are one error, with the frames of the test alone")
    void failuresFold() {
        assertThat(SampleRun.of(Samples.FailingAlike.class, "throwsOnThree").results())
                .hasSize(2)
                .allSatisfy((name, result) -> {
                    Throwable error = result.getThrowable().orElseThrow();
                    String printed = SampleRun.print(error);
                    assertThat(error.getSuppressed()).hasSizeBetween(1, 2); // whichever was the first to fail
                    assertThat(printed)
                            .containsPattern("PEs \\d, \\d(, \\d)?: java.lang.IllegalStateException: not two");
                    assertThat(printed).doesNotContain("coterie.junit.Worker", "coterie.internal.launch.PeMain");
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
