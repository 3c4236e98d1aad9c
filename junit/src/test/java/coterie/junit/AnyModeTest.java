// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run makes of [SampledMode].
@AsNoRunAsks
class AnyModeTest {
    @Test
    @DisplayName("a run of few numbers has a named test in one mode, and another in all of its modes")
    void oneMode() {
        System.setProperty(SpmdMode.FEW, "5");
        assertThat(SampleRun.of(Samples.Passing.class).results())
                .containsOnlyKeys("knowsItsWorld [3 threads]", "needsNoWorld [2 processes]", "needsNoWorld [2 threads]");
    }

    @Test
    @DisplayName("a run that has no threads for a named test has its first mode")
    void firstMode() {
        System.setProperty(SpmdMode.FEW, "5");
        System.setProperty(SpmdMode.ASKED, "processes");
        assertThat(SampleRun.of(Samples.Passing.class, "knowsItsWorld").results())
                .containsOnlyKeys("knowsItsWorld [3 processes]");
    }

    @Test
    @DisplayName("a named test has as many PEs in its one mode as it would have processes")
    void numberOfProcesses() {
        System.setProperty(SpmdMode.FEW, "2");
        assertThat(SampleRun.of(Samples.Passing.class, "knowsItsWorld").results())
                .containsOnlyKeys("knowsItsWorld [1 thread]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all"})
    @DisplayName("a run of all numbers has a named test in all of its modes")
    void allModes(String all) {
        System.setProperty(SpmdMode.FEW, all);
        assertThat(SampleRun.of(Samples.Passing.class, "knowsItsWorld").results())
                .containsOnlyKeys(
                        "knowsItsWorld [1 process]",
                        "knowsItsWorld [3 processes]",
                        "knowsItsWorld [1 thread]",
                        "knowsItsWorld [3 threads]");
    }
}
