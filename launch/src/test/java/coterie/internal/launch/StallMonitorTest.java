// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StallMonitorTest {
    @ParameterizedTest
    @CsvSource({"800, 100", "1600, 200", "10000, 200", "600000, 200"})
    @DisplayName("looks are an eighth of the stall threshold apart, and no more than 200 ms")
    void pauses(long stallMillis, long pauseMillis) {
        assertThat(StallMonitor.pauseNanos(Duration.ofMillis(stallMillis)))
                .isEqualTo(Duration.ofMillis(pauseMillis).toNanos());
    }
}
