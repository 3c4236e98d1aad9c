// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How jobs end when a PE leaves the others alone in the world.
class WorldEndTest {
    @Test
    void aPeThatIsKilledIsReportedWithWhatTheOthersWaitedIn() {
        try (Launch launch = Launch.run("pes=3", Programs.LeavesOthersInBarrier.class, "kill")) {
            assertThat(launch.exitCode()).isEqualTo(137);
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .matches("coterie: PE 2 \\(pid \\d+\\) ended with exit code 137 \\(signal 9, KILL\\) after \\S+ s;"
                            + " PEs 0, 1 were waiting in barrier #2");
        }
    }

    @Test
    void whereTheJobGoesOnSurvivorsLearnWhoIsLostAndEndTheJobWell() {
        try (Launch launch = Launch.run("pes=3 onFailure=CONTINUE", Programs.LeavesOthersInBarrier.class, "kill")) {
            assertThat(launch.out()).containsExactlyInAnyOrder("PE 0 lost [2]", "PE 1 lost [2]");
            assertThat(launch.reports()).first().asString().contains("PE 2 ").contains("exit code 137");
        }
    }

    @Test
    void aListOfSurvivorsTellsOfAFailureAsAnExceptionDoes() {
        try (Launch launch = Launch.run("pes=3 onFailure=CONTINUE", Programs.AsksForSurvivors.class)) {
            assertThat(launch.out()).containsExactlyInAnyOrder("survivors [0, 1]", "survivors [0, 1]");
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
        }
    }

    @Test
    void exitCodeZeroInsideAWorldIsAFailure() {
        try (Launch launch = Launch.run("pes=2", Programs.LeavesOthersInBarrier.class, "exit")) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .contains("PE 1 ")
                    .contains("ended with exit code 0 inside its world");
        }
    }

    // In the tests' simulator a PE that waits outside of the waiting room blocks all: see SimulationHostTest.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void anAbortEndsTheJobWithItsCodeAndNamesThePe(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.LeavesOthersInBarrier.class, "abort")) {
            assertThat(launch.exitCode()).isEqualTo(9);
            assertThat(launch.reports()).singleElement().asString().contains("PE 1 aborted the job with exit code 9");
        }
    }

    // In the tests' simulator a PE that waits outside of the waiting room blocks all.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void aWorldThatIsOpenWhenMainThrowsIsNotWaitedFor(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.LeavesOthersInBarrier.class, "throw")) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.err())
                    .contains("Exception in thread \"main\" java.lang.IllegalStateException: left the others");
            assertThat(launch.reports()).singleElement().asString().contains("PE 0 was waiting in barrier #2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWorldThatIsOpenWhenMainReturnsIsClosed(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.LeavesWorldOpen.class)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(launch.out()).containsExactlyInAnyOrder("PE 0 returns", "PE 1 returns");
        }
    }

    @Test
    void pesAsThreadsHaveStaticsOfTheirOwnAndTheirThreadsToo() {
        try (Launch launch = Launch.run("pes=3 mode=THREADS output=tagged", Programs.Counts.class)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(launch.out())
                    .containsExactlyInAnyOrder(
                            "[0] PE 0 counts 1",
                            "[1] PE 1 counts 1",
                            "[2] PE 2 counts 1",
                            "[0] PE 0 has a thread",
                            "[1] PE 1 has a thread",
                            "[2] PE 2 has a thread");
        }
    }
}
