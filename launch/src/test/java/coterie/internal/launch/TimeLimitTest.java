// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Jobs that the launcher ends: at the time limit, and in the grace after it has asked PEs to end.
class TimeLimitTest {
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

    @Test
    void aTimeLimitEndsTheJobWith124AndSaysWhatEachPeWasDoing() {
        try (Launch launch = Launch.run("pes=3 timeoutMillis=1000", Programs.LeavesOthersInBarrier.class, "wait")) {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.TIMED_OUT.code());
            assertThat(launch.reports())
                    .first()
                    .asString()
                    .matches("coterie: the job was stopped after \\d+\\.\\d\\d s because of its time limit");
            // How far each PE has come depends on the machine.
            assertThat(launch.reports().subList(1, launch.reports().size()))
                    .isNotEmpty()
                    .allMatch(
                            line -> line.matches("coterie: PEs? [0-2, -]+ (was|were) (outside the world, not joined yet"
                                    + "|running|waiting in barrier #[12])(,? at .*)?"));
        }
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("at the time limit the launcher has the line in which a PE ran, once for PEs that were in the same")
    void aTimeLimitShowsWhereEachPeWas(PeMode mode) {
        String place = "at Programs\\.java:\\d+(, in Thread\\.onSpinWait)?";
        Launch.runWithin("pes=2 mode=" + mode, Programs.Spins.class, launch -> {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.TIMED_OUT.code());
            assertThat(launch.reports())
                    .anyMatch(line -> line.matches("coterie: PEs? 0(, 1)? (was|were) .*, " + place));
        });
    }

    @Test
    @DisplayName("a wait of a job that the launcher ends prints nothing of the PEs that have ended before")
    void theEndIsNoNews() {
        try (Launch launch = Launch.run("pes=2 timeoutMillis=1500", EndsAfterItsWait.class)) {
            assertThat(launch.exitCode()).isEqualTo(ExitCode.TIMED_OUT.code());
            assertThat(launch.out()).containsExactly("PE 0 has left its wait");
            assertThat(launch.err()).isNotEmpty().isEqualTo(launch.reports());
        }
    }

    @ParameterizedTest
    @EnumSource(names = "SIMULATED", mode = EnumSource.Mode.EXCLUDE)
    @DisplayName("waits of a job that a PE aborts print nothing")
    void anAbortIsNoNews(PeMode mode) {
        try (Launch launch = Launch.run("pes=3 mode=" + mode, Programs.LeavesOthersInBarrier.class, "abort")) {
            assertThat(launch.exitCode()).isEqualTo(9);
            assertThat(launch.err()).isNotEmpty().isEqualTo(launch.reports());
        }
    }

    @Test
    void whatAPePrintsWhileItIsBeingStoppedComesOut() {
        try (Launch launch = Launch.run("pes=2", PrintsAtItsEnd.class)) {
            assertThat(launch.exitCode()).isEqualTo(5);
            assertThat(launch.out()).containsExactly("last words");
        }
    }

    /// PE 0 waits for PE 1, and ends only after its wait.
    static final class EndsAfterItsWait {
        public static void main(String[] args) throws InterruptedException {
            World world = World.join();
            world.team().barrier();
            if (world.pe() == 0) {
                Thread main = Thread.currentThread();
                Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                    try {
                        main.join();
                        System.out.println("PE 0 has left its wait");
                    } catch (InterruptedException e) {
                        throw new AssertionError("nothing interrupts this thread", e);
                    }
                }));
                world.team().barrier();
            }
            Programs.waitForever();
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
}
