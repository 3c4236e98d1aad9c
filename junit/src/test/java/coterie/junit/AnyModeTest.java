// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import java.lang.reflect.Method;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a run makes of [SampledMode].
@AsNoRunAsks
class AnyModeTest {
    /// Says what the run has the PEs of one of the samples as.
    private static List<String> shapes(String name, Class<?>... parameters) throws NoSuchMethodException {
        Method sample = Samples.Passing.class.getDeclaredMethod(name, parameters);
        return SpmdExtension.shapes(sample, sample.getAnnotation(SpmdTest.class))
                .map(JobShape::toString)
                .toList();
    }

    @Test
    @DisplayName("a run of few numbers has a named test once, as threads, and another in all of its modes")
    void oneMode() throws NoSuchMethodException {
        System.setProperty(SpmdMode.FEW, "5");
        assertThat(shapes("knowsItsWorld", World.class)).containsExactly("3 threads");
        assertThat(shapes("needsNoWorld")).containsExactly("2 processes", "2 threads");
    }

    @Test
    @DisplayName("a run that has no threads for a named test has its first mode")
    void firstMode() throws NoSuchMethodException {
        System.setProperty(SpmdMode.FEW, "5");
        System.setProperty(SpmdMode.ASKED, "processes");
        assertThat(shapes("knowsItsWorld", World.class)).containsExactly("3 processes");
    }

    @Test
    @DisplayName("a named test has as many PEs in its one mode as it would have processes")
    void numberOfProcesses() throws NoSuchMethodException {
        System.setProperty(SpmdMode.FEW, "2");
        assertThat(shapes("knowsItsWorld", World.class)).containsExactly("1 thread");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all"})
    @DisplayName("a run of all numbers has a named test in all of its modes")
    void allModes(String all) throws NoSuchMethodException {
        System.setProperty(SpmdMode.FEW, all);
        assertThat(shapes("knowsItsWorld", World.class))
                .containsExactly("1 process", "3 processes", "1 thread", "3 threads");
    }
}
