// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// PEs as virtual threads in a simulator, see [TurnsSimulator]. Tests of the other modes test what is common.
class SimulationHostTest {
    @Test
    void threadsThatAPeStartsBelongToIt() {
        try (Launch launch = Launch.run("pes=3 mode=SIMULATED", Programs.FindsItsPe.class)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(launch.out())
                    .containsExactlyInAnyOrder(
                            "PE 0: virtual 0 platform 0", "PE 1: virtual 1 platform 1", "PE 2: virtual 2 platform 2");
        }
    }

    @Test
    void aKilledPeEndsTheJobAsASignalWould() {
        try (Launch launch = Launch.run("pes=3 kill=1", Programs.MeetsForever.class)) {
            assertThat(launch.exitCode()).isEqualTo(137);
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .startsWith("coterie: PE 1 was killed: its turn came; ");
            assertThat(launch.out()).containsExactly("story performance=1");
        }
    }

    @Test
    void survivorsOfAKilledPeGoOnAndLearnOfIt() {
        try (Launch launch = Launch.run("pes=3 kill=1 onFailure=CONTINUE", Programs.LosesOthers.class)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(launch.out())
                    .contains("PE 0 lost [1]", "PE 2 lost [1]")
                    .noneMatch(line -> line.startsWith("PE 1"));
            assertThat(launch.reports()).singleElement().asString().contains("PE 1 was killed: its turn came");
        }
    }

    @Test
    void aFailureComesWithTheStory() {
        try (Launch launch = Launch.run("pes=2 mode=SIMULATED", Programs.ThrowsFromMain.class)) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.out()).containsExactly("story performance=1");
        }
    }

    @Test
    void aPeThatEndsTheJvmLeavesTheStory() {
        try (Launch launch = Launch.run("pes=2 mode=SIMULATED", Programs.Exits.class, "0", "3")) {
            assertThat(launch.exitCode()).isEqualTo(3);
            assertThat(launch.out()).containsExactly("story performance=1");
        }
    }

    @Test
    void anAbortEndsTheJobWithItsCodeAndNamesThePe() {
        try (Launch launch = Launch.run("pes=2 mode=SIMULATED", Programs.Aborts.class)) {
            assertThat(launch.exitCode()).isEqualTo(9);
            assertThat(launch.reports()).singleElement().asString().contains("PE 1 aborted the job with exit code 9");
        }
    }

    @Test
    void aScriptThatCannotBeReadIsAMistakeOfTheCommandLine() {
        try (Launch launch = Launch.run("pes=2 kill=x", Programs.Exits.class, "-1", "0")) {
            assertThat(launch.exitCode()).isEqualTo(2);
            assertThat(launch.err()).contains("coterie: script \"kill=x\": not kill=PE");
        }
    }
}
