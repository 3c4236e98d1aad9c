// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

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
            // A JVM that is asked to end while it starts may have a word of its own.
            assertThat(launch.reports())
                    .singleElement()
                    .asString()
                    .matches("coterie: PE 1 \\(pid \\d+\\) ended with exit code 7 after \\d+\\.\\d\\d s;"
                            + " PEs 0, 2 were outside the world, not joined yet");
        }
    }

    @ParameterizedTest
    @EnumSource
    void anExceptionInAnyThreadEndsTheJobWithOne(PeMode mode) {
        try (Launch launch = Launch.run("pes=2 mode=" + mode, Programs.ThrowsElsewhere.class)) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.err())
                    .anyMatch(line -> line.matches("(PEs 0, 1: )?Exception in thread \"elsewhere\""
                            + " java.lang.IllegalStateException: thrown elsewhere"));
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
                    .isEqualTo("coterie: PE 0 can't start the program: there is no class int");
        }
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
