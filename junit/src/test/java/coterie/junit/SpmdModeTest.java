// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static coterie.junit.SpmdMode.PROCESSES;
import static coterie.junit.SpmdMode.SIM;
import static coterie.junit.SpmdMode.THREADS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@AsNoRunAsks
class SpmdModeTest {
    private static final List<SpmdMode> ALL = List.of(PROCESSES, THREADS, SIM);

    @BeforeEach
    void limits() {
        System.setProperty(SpmdMode.FEW, "5");
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

    @Test
    @DisplayName("where all numbers are above the limit, processes are left out, unless the run has nothing else")
    void manyProcessesAreLeftOut() {
        assertThat(SpmdMode.asked(ALL, 6, 12)).containsExactly(THREADS, SIM);
        assertThat(SpmdMode.asked(ALL, 5, 12)).isEqualTo(ALL);
        assertThat(SpmdMode.asked(List.of(PROCESSES), 6, 12)).containsExactly(PROCESSES);
        System.setProperty(SpmdMode.ASKED, "processes");
        assertThat(SpmdMode.asked(ALL, 6, 12)).containsExactly(PROCESSES);
        System.setProperty(SpmdMode.ASKED, "processes,sim");
        assertThat(SpmdMode.asked(ALL, 6, 12)).containsExactly(SIM);
        System.setProperty(SpmdMode.FEW, "all");
        assertThat(SpmdMode.asked(ALL, 6, 12)).containsExactly(PROCESSES, SIM);
    }

    @Test
    @DisplayName(
            "a run of few has one mode for a test to which the mode can't matter, threads if it may; others have all")
    void oneModeOfAny() {
        assertThat(SpmdMode.any(ALL)).containsExactly(THREADS);
        assertThat(SpmdMode.any(List.of(PROCESSES, SIM))).containsExactly(PROCESSES);
        assertThat(SpmdMode.any(List.of())).isEmpty();
        System.setProperty(SpmdMode.FEW, "all");
        assertThat(SpmdMode.any(ALL)).isEqualTo(ALL);
    }
}
