// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What the end of a launcher leaves: nothing, whether it is asked to end, killed, or closes its job.
class LauncherEndTest {
    private static final String COMMANDED = "input=NONE commands=true pes=2";

    @ParameterizedTest
    @EnumSource
    void aLauncherThatIsAskedToEndTakesTheJobWithIt(PeMode mode) {
        try (Launch launch = Launch.start("mode=" + mode + " " + COMMANDED, Programs.Waits.class)) {
            launch.awaitOut("ready", 2);
            launch.launcher().destroy();
            assertThat(launch.awaitEnd()).isEqualTo(143);
            launch.awaitNothingLeft();
            assertThat(launch.err()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLauncherThatIsKilledLeavesNothing(PeMode mode) {
        try (Launch launch = Launch.start("mode=" + mode + " " + COMMANDED, Programs.Waits.class)) {
            launch.awaitOut("ready", 2);
            assertThat(launch.processes()).isNotEmpty();
            launch.launcher().destroyForcibly();
            launch.awaitEnd();
            launch.awaitNothingLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aLauncherThatIsKilledLeavesNothingWhereNoToolGuardsThePes(PeMode mode) {
        Map<String, String> noTools = Map.of("PATH", "/nowhere");
        try (Launch launch = Launch.start(noTools, "mode=" + mode + " " + COMMANDED, Programs.Waits.class)) {
            launch.awaitOut("ready", 2);
            assertThat(launch.processes()).isNotEmpty();
            launch.launcher().destroyForcibly();
            launch.awaitEnd();
            launch.awaitNothingLeft();
        }
    }

    @Test
    void closingAJobKillsItsPesAtOnce() {
        try (Launch launch = Launch.start(COMMANDED + " graceMillis=600000", Programs.WaitsAgainstTerm.class)) {
            launch.awaitOut("ready", 2);
            launch.command("close");
            assertThat(launch.awaitEnd()).isEqualTo(137);
            launch.awaitNothingLeft();
        }
    }
}
