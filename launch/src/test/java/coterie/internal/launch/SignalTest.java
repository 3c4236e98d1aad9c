// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Signals that a launcher passes on, and signals that hit the launcher itself.
class SignalTest {
    private static final String COMMANDED = "input=NONE commands=true pes=2";

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 15})
    @DisplayName(
            "a signal that asks for the end ends the job with its code, and the launcher has a line for what PEs did")
    void aSignalThatAsksForTheEnd(int signal) {
        try (Launch launch = Launch.start(COMMANDED, Programs.Waits.class)) {
            launch.awaitOut("ready", 2);
            launch.command("signal " + signal);
            assertThat(launch.awaitEnd()).isEqualTo(128 + signal);
            assertThat(launch.reports()).hasSize(2);
            assertThat(launch.reports().getFirst())
                    .matches("coterie: the job was ended by signal " + signal + ", [A-Z]+, after .* s");
            assertThat(launch.reports().getLast())
                    .matches(
                            "coterie: PEs 0, 1 were outside the world, not joined yet, at Programs\\.java:\\d+, in .*");
        }
    }

    @Test
    void quitHasEveryPeDumpItsThreadsLabelledAndTheJobGoesOn() {
        try (Launch launch = Launch.start(COMMANDED, Programs.Waits.class)) {
            launch.awaitOut("ready", 2);
            launch.command("signal 3");
            for (int pe = 0; pe < 2; pe++) {
                String tag = "[" + pe + "] ";
                Awaitility.await().untilAsserted(() -> {
                    List<String> dump = launch.err().stream()
                            .filter(line -> line.startsWith(tag))
                            .toList();
                    assertThat(dump).first().asString().startsWith(tag + "Full thread dump");
                    assertThat(dump).anyMatch(line -> line.startsWith(tag + "\"main\""));
                    assertThat(dump).contains(tag + "Heap");
                });
            }
            assertThat(launch.out()).containsOnly("ready");
            launch.command("signal 9");
            assertThat(launch.awaitEnd()).isEqualTo(137);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill -9", "kill"})
    @DisplayName("a job that a PE has started ends with the job of this PE, however that job ends")
    void aJobInsideAPeEndsWithThisPe(String how) {
        try (Launch launch = Launch.start("input=NONE pes=1", Programs.StartsInnerJob.class)) {
            launch.awaitOut("ready", 2);
            if (how.equals("kill")) {
                launch.launcher().destroy();
            } else {
                launch.launcher().destroyForcibly();
            }
            launch.awaitEnd();
            launch.awaitNothingLeft();
        }
    }

    @Test
    @DisplayName("a job that a PE has started ends with the job of this PE, if that ends by its time limit")
    void aJobInsideAPeEndsAtTheTimeLimitOfThisPe() {
        Launch.runWithin("input=NONE pes=1", Programs.StartsInnerJob.class, launch -> {
            assertThat(launch.out()).containsExactly("ready", "ready");
            launch.awaitNothingLeft();
        });
    }

    @Test
    @DisplayName("a launcher inside a PE that has ended starts no job, and names the PE and the remedy")
    void aLauncherInsideADeadPeIsRefused() {
        Map<String, String> dead =
                Map.of("COTERIE_SEGMENT", "/proc/1/fd/99999", "COTERIE_PE", "3", "COTERIE_SIZE", "4");
        try (Launch launch = Launch.start(dead, COMMANDED, Programs.Waits.class)) {
            assertThat(launch.awaitEnd()).isEqualTo(1);
            assertThat(launch.out()).isEmpty();
            assertThat(launch.err())
                    .anyMatch(line -> line.contains("starting job test: the launcher runs in PE 3 of the job at"
                            + " /proc/1/fd/99999, which has ended; to start a job of its own, unset COTERIE_SEGMENT"));
        }
    }
}
