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
    @DisplayName("a run that has a limit takes one number of processes, and all of threads and simulated PEs")
    void takesOneNumberOfProcesses() {
        assertThat(SpmdMode.PROCESSES.asked(12, 2, 5, 8)).containsExactly(5);
        assertThat(SpmdMode.THREADS.asked(12, 2, 5, 8)).containsExactly(12, 2, 5, 8);
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
            System.setProperty(SpmdMode.MOST_PROCESSES, none);
            assertThat(SpmdMode.PROCESSES.asked(12, 8)).containsExactly(12, 8);
        }
        System.setProperty(SpmdMode.MOST_PROCESSES, "few");
        assertThatThrownBy(() -> SpmdMode.PROCESSES.asked(1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("coterie.junit.processes: \"few\"");
    }
}
