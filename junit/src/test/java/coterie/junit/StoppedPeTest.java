// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// How a test ends that the harness or the system stops, and what it leaves behind.
@AsNoRunAsks
class StoppedPeTest {
    @Test
    @DisplayName("a PE that ends its JVM fails the test with its exit code")
    void dies() {
        assertThat(SampleRun.errors(Samples.Dying.class, "halts")).hasSize(2).allSatisfy((mode, error) -> {
            assertThat(error)
                    .hasMessageContaining("a PE ended during the test")
                    .hasMessageMatching("(?s).*PE 1: [^\\n]*exit code 9[^\\n0-9].*");
        });
    }

    @Test
    @DisplayName("a PE that is killed fails the test with the signal")
    void isKilled() {
        Throwable error = SampleRun.of(Samples.Dying.class, "isKilled").error("isKilled", SpmdMode.PROCESSES);

        assertThat(error)
                .hasMessageContaining("a PE ended during the test")
                .hasMessageMatching("(?s).*PE 1: ended [^\\n]*137.*");
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
                            .hasMessageMatching("(?s).*PE 1: waiting in [^\\n]*4711.*")
                            .hasMessageContaining("Samples$Hanging.waitsForEver");
                });
    }
}
