// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationScriptTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "seed=7", "seed=7,schedule=m3.17:25000+p3.40:1000,order=weak", "schedule="})
    void aScriptIsWrittenAsItWasRead(String text) {
        assertThat(SimulationScript.parse(text)).hasToString(text);
    }

    @Test
    void theSeedAndTheScheduleCanBeReplaced() {
        SimulationScript script = SimulationScript.parse("seed=1,far=1:2:3,schedule=a+b");
        assertThat(script.withSeed(8).seed()).contains("8");
        assertThat(script.schedule()).containsExactly("a", "b");
        assertThat(script.withSchedule(List.of())).hasToString("seed=1,far=1:2:3,schedule=");
        assertThat(script.withoutSchedule()).hasToString("seed=1,far=1:2:3");
        assertThat(SimulationScript.parse("x=1,x=2")).hasToString("x=2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"seed", "=7", "seed=7,,order=weak"})
    void whatIsNoKeyAndValueIsRefused(String text) {
        assertThatThrownBy(() -> SimulationScript.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is not key=value");
    }

    @Test
    void shrinkingLeavesWhatTheFailureNeeds() {
        FailureMinimizer.Minimized minimized = FailureMinimizer.of(
                SimulationScript.parse("seed=3,schedule=a+b+c+d+e"),
                Duration.ofMinutes(1),
                script -> script.schedule().containsAll(List.of("b", "e")));
        assertThat(minimized.script()).hasToString("seed=3,schedule=b+e");
        assertThat(minimized.phrase()).isEqualTo("the failure needs 2 of 5 perturbations");
    }

    @Test
    void aFailureThatDoesNotComeAgainIsNotShrunk() {
        FailureMinimizer.Minimized minimized = FailureMinimizer.of(
                SimulationScript.parse("seed=3,schedule=a"), Duration.ofMinutes(1), script -> false);
        assertThat(minimized.isRepeatable()).isFalse();
        assertThat(minimized.phrase()).contains("depends on more than the seed");
    }

    @Test
    void failuresAreAlikeWhateverTheirNumbers() {
        JobFailure failure = new JobFailure(1, "java.lang.IllegalStateException: PE 3 got 17");
        assertThat(failure.isLike(new JobFailure(1, "java.lang.IllegalStateException: PE 12 got 0")))
                .isTrue();
        assertThat(failure.isLike(new JobFailure(1, "java.lang.AssertionError: PE 3 got 17")))
                .isFalse();
        assertThat(failure.isLike(new JobFailure(137, failure.what()))).isFalse();
    }
}
