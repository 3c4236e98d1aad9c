// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SpmdModeTest {
    private final String before = System.getProperty(SpmdMode.FEW, "");

    @BeforeEach
    void limits() {
        System.setProperty(SpmdMode.FEW, "5");
    }

    @AfterEach
    void restores() {
        System.setProperty(SpmdMode.FEW, before);
    }

    @Test
    @DisplayName("a run of few numbers takes one number of processes, of threads and of simulated PEs")
    void takesFewNumbers() {
        assertThat(SpmdMode.PROCESSES.asked(12, 2, 5, 8)).containsExactly(5);
        assertThat(SpmdMode.THREADS.asked(12, 1, 2, 5, 8, 3)).containsExactly(2);
        assertThat(SpmdMode.THREADS.asked(1)).containsExactly(1);
        assertThat(SpmdMode.SIM.asked(12, 2, 5)).containsExactly(12);
        assertThat(SpmdMode.SIM.asked(12)).containsExactly(12);
    }

    @Test
    @DisplayName("where all numbers are above the limit, it is the smallest")
    void smallestIsAboveTheLimit() {
        assertThat(SpmdMode.PROCESSES.asked(12, 8)).containsExactly(8);
    }

    @Test
    @DisplayName("without a limit, all numbers stay; a limit that is no number is refused")
    void limitIsANumber() {
        for (String none : List.of("", "all")) {
            System.setProperty(SpmdMode.FEW, none);
            assertThat(SpmdMode.PROCESSES.asked(12, 8)).containsExactly(12, 8);
        }
        System.setProperty(SpmdMode.FEW, "few");
        assertThatThrownBy(() -> SpmdMode.PROCESSES.asked(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("coterie.junit.few: \"few\"");
    }
}
