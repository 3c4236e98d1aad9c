// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How jobs end, and what their launchers say about it.
class JobEndTest {
    @ParameterizedTest
    @EnumSource
    void aJobWhosePesEndWellEndsWithZeroAndSaysNothing(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.Exits.class, "-1", "0")) {
            assertThat(launch.exitCode()).isZero();
            assertThat(launch.out()).isEmpty();
            assertThat(launch.err()).isEmpty();
        }
    }

    @Test
    void theFirstFailureIsTheJobsExitCodeAndTheOthersAreStopped() {
        try (Launch launch = Launch.run("pes=3", Programs.ExitsAmongWaiting.class, "1", "7")) {
            assertThat(launch.exitCode()).isEqualTo(7);
            assertThat(launch.err())
                    .singleElement()
                    .asString()
                    .matches("coterie: PE 1 \\(pid \\d+\\) ended with exit code 7 after \\d+\\.\\d\\d s;"
                            + " PEs 0, 2 were outside the world, not joined yet");
        }
    }

    @Test
    void aPeThatDoesNotEndWhenAskedIsKilledAfterTheGrace() {
        try (Launch launch =
                Launch.start("pes=2 input=NONE commands=true graceMillis=200", Programs.WaitsAgainstTerm.class)) {
            launch.awaitOut("ready", 2);
            launch.launcher().destroy();
            launch.awaitEnd();
            launch.awaitNothingLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionInAnyThreadEndsTheJobWithOne(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.ThrowsElsewhere.class)) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.err())
                    .contains("Exception in thread \"elsewhere\" java.lang.IllegalStateException: thrown elsewhere");
            assertThat(launch.reports()).singleElement().asString().contains("ended with exit code 1");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionFromMainIsPrintedWithTheProgramsOwnFramesAlone(PeMode mode) {
        try (Launch launch = Launch.run("pes=1 mode=" + mode, Programs.ThrowsFromMain.class)) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.err().getFirst())
                    .isEqualTo("Exception in thread \"main\" java.lang.IllegalStateException: thrown from main");
            assertThat(launch.err().get(1)).contains("Programs$ThrowsFromMain.main");
            assertThat(launch.err().subList(2, launch.err().size())).isEqualTo(launch.reports());
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProgramThatIsNoneEndsTheJobWith126AndOneThatIsNotThereWith127(PeMode mode) {
        try (Launch launch = Launch.run("pes=1 mode=" + mode, Programs.NoMain.class)) {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.NOT_RUNNABLE.code());
            assertThat(launch.err().getFirst()).contains("has no main method; it needs void main");
        }
        try (Launch launch = Launch.run("pes=1 mode=" + mode, int.class)) {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.NOT_FOUND.code());
            assertThat(launch.err().getFirst())
                    .isEqualTo("coterie: PE 0 can't start its program: there is no class int");
        }
    }

    @Test
    void aTimeLimitEndsTheJobWith124AndSaysWhatEachPeWasDoing() {
        try (Launch launch = Launch.run("pes=3 timeoutMillis=1000", Programs.LeavesOthersInBarrier.class, "wait")) {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.TIMED_OUT.code());
            // How far each PE has come depends on the machine.
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .matches("coterie: the job was stopped after \\d+\\.\\d\\d s because of its time limit"
                            + "(; PEs? [0-2, ]+ (was|were) (outside the world, not joined yet|running"
                            + "|waiting in barrier #[12]))+");
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("at the time limit a PE that runs prints its top frame and the top frame of the program")
    void aTimeLimitShowsWhereEachPeWas(PeMode mode) {
        String place = "(was|were) at (java.lang.Thread.onSpinWait\\(Thread.java:\\d+\\), called from )?"
                + "coterie.internal.launch.Programs\\$Spins.main\\(Programs.java:\\d+\\)";
        Launch.runWithin("pes=2 mode=" + mode, Programs.Spins.class, launch -> {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.TIMED_OUT.code());
            assertThat(launch.err()).anyMatch(line -> line.matches("coterie: PEs? 0(, 1)? " + place));
            if (mode != PeMode.SIMULATED) { // one PE at a time runs there
                assertThat(launch.err()).anyMatch(line -> line.matches("coterie: PEs? (0, )?1 " + place));
            }
        });
    }

    @Test
    void whereTheJobGoesOnEachLostPeIsReportedAndOneThatEndsByItselfDecides() {
        try (Launch launch = Launch.run("pes=3 onFailure=CONTINUE", Programs.Exits.class, "1", "7")) {
            assertThat(launch.exitCode()).isEqualTo(7);
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .contains("PE 1 ")
                    .contains("exit code 7");
        }
    }

    @Test
    void whatAPePrintsWhileItIsBeingStoppedComesOut() {
        try (Launch launch = Launch.run("pes=2", PrintsAtItsEnd.class)) {
            assertThat(launch.exitCode()).isEqualTo(5);
            assertThat(launch.out()).containsExactly("last words");
        }
    }

    /// PE 1 ends with 5 when PE 0 is ready to be stopped by that.
    static final class PrintsAtItsEnd {
        public static void main(String[] args) throws InterruptedException {
            try (World world = World.join()) {
                if (world.pe() == 0) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("last words")));
                }
                world.team().barrier();
                if (world.pe() == 1) {
                    System.exit(5);
                }
                Programs.waitForever();
            }
        }
    }

    @Test
    void theExceptionHandlerOfTheProgramDoesNotHideThatItsMainHasFailed() {
        try (Launch launch = Launch.run("pes=1", OwnHandler.class)) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.out()).containsExactly("handled");
        }
    }

    static final class OwnHandler {
        public static void main(String[] args) {
            Thread.setDefaultUncaughtExceptionHandler((thread, uncaught) -> System.out.println("handled"));
            throw new IllegalStateException("for the program's own handler");
        }
    }
}
