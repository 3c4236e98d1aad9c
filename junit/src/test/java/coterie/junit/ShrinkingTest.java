// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult.Status;

/// What a failure in a simulated network comes with: its seed, and the perturbations that it needs.
@AsNoRunAsks
class ShrinkingTest {
    @Test
    @DisplayName("the first seed that fails is named, shrunk to what it needs, and fails again as the message says")
    void failsWithSeedAndShrinks() {
        System.setProperty(Seeds.SETTINGS, "races=off");
        Throwable error =
                SampleRun.of(SimulatedSamples.Racing.class, "putsWithoutFence").error("putsWithoutFence", SpmdMode.SIM);

        String message = String.valueOf(error.getMessage());
        Matcher text = Pattern.compile(
                        "2 simulated PEs, seed (\\d+): PE 1 failed: .*the data is not there.*"
                                + "Repeat with -Dcoterie\\.sim\\.script=seed=\\1,races=off\\R"
                                + "Shrunk: the failure needs (\\d+) of \\d+ perturbations; repeat with"
                                + " -Dcoterie\\.sim\\.script=seed=\\1,schedule=(\\S+),races=off(\\R|$).*",
                        Pattern.DOTALL)
                .matcher(message);
        assertThat(text.matches()).as(message).isTrue();
        assertThat(text.group(1)).as("seed 0 is without perturbations").isNotEqualTo("0");

        List<String> needed = List.of(text.group(3).split("\\+"));
        assertThat(needed).hasSize(Integer.parseInt(text.group(2))).isNotEmpty();
        assertThat(replay(needed).error("putsWithoutFence", SpmdMode.SIM))
                .hasMessageContaining("the data is not there");
        for (String each : needed) {
            List<String> others = new ArrayList<>(needed);
            others.remove(each);
            assertThat(replay(others).results())
                    .as("without %s of %s", each, needed)
                    .hasEntrySatisfying(
                            "putsWithoutFence [2 simulated PEs]",
                            result -> assertThat(result.getStatus()).isEqualTo(Status.SUCCESSFUL));
        }
    }

    private static SampleRun replay(List<String> perturbations) {
        System.setProperty(Seeds.SETTINGS, "races=off,schedule=" + String.join("+", perturbations));
        return SampleRun.of(SimulatedSamples.Racing.class, "putsWithoutFence");
    }
}
