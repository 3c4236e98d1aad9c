// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What PEs of one JVM share, and what they keep apart.
class HostedPesTest {
    @Test
    @DisplayName("PEs of one JVM share one mapping of each PE's heap, in each of their worlds")
    void mappings() {
        try (Launch launch = Launch.run("pes=6 mode=THREADS", Programs.CountsHeapMappings.class)) {
            assertThat(launch.out()).containsExactly("mapped 6, counted 6", "mapped 6, counted 6");
            assertThat(launch.exitCode()).isZero();
        }
    }

    @Test
    @DisplayName("a PE whose main thread is interrupted lives until its other threads have ended, and ends well")
    void interrupted() {
        try (Launch launch = Launch.run("pes=2 mode=THREADS", Programs.EndsInterrupted.class)) {
            assertThat(launch.err()).isEmpty();
            assertThat(launch.out()).containsExactly("ended", "ended");
            assertThat(launch.exitCode()).isZero();
        }
    }
}
