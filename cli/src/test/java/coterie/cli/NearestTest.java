// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    @ParameterizedTest
    @CsvSource({"run, run, 0", "rn, run, 1", "rnu, run, 1", "'', run, 3", "kitten, sitting, 3", "ca, abc, 3"})
    @DisplayName("distance counts letters put in, left out, replaced, or swapped with a neighbour; both ways the same")
    void distance(String a, String b, int distance) {
        assertThat(Nearest.distance(a, b)).isEqualTo(distance);
        assertThat(Nearest.distance(b, a)).isEqualTo(distance);
    }

    @Test
    @DisplayName("the nearest of several is proposed, and nothing where none is near")
    void proposes() {
        List<String> commands = List.of("run", "info", "doctor", "ps");
        assertThat(Nearest.question("rn", commands)).isEqualTo("; did you mean run?");
        assertThat(Nearest.question("docter", commands)).isEqualTo("; did you mean doctor?");
        assertThat(Nearest.question("launch", commands)).isEmpty();
    }
}
