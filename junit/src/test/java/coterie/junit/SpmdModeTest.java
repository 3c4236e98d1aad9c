// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

@ResourceLock(Resources.SYSTEM_PROPERTIES)
class SpmdModeTest {
    private final String before = System.getProperty(SpmdMode.MOST_PROCESSES, "");

    @BeforeEach
    void limits() {
        System.setProperty(SpmdMode.MOST_PROCESSES, "5");
    }

    @AfterEach
    void restores() {
        System.setProperty(SpmdMode.MOST_PROCESSES, before);
    }

    @Test
    @DisplayName("a run leaves out large numbers of processes, but not of threads and simulated PEs")
    void leavesOutLargeNumbers() {
        assertThat(SpmdMode.PROCESSES.asked(12, 2, 5, 8)).containsExactly(2, 5);
        assertThat(SpmdMode.THREADS.asked(12, 2, 5, 8)).containsExactly(12, 2, 5, 8);
        assertThat(SpmdMode.SIM.asked(12)).containsExactly(12);
    }

    @Test
    @DisplayName("the smallest number of a test stays in each run")
    void smallestStays() {
        assertThat(SpmdMode.PROCESSES.asked(12, 8)).containsExactly(8);
    }

    @Test
    @DisplayName("without a limit, all numbers stay; a limit that is no number is refused")
    void limitIsANumber() {
        System.setProperty(SpmdMode.MOST_PROCESSES, "");
        assertThat(SpmdMode.PROCESSES.asked(12, 8)).containsExactly(12, 8);
        System.setProperty(SpmdMode.MOST_PROCESSES, "few");
        assertThatThrownBy(() -> SpmdMode.PROCESSES.asked(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("coterie.junit.processes.max: \"few\"");
    }
}
