// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpellingSuggestionTest {
    @ParameterizedTest
    @CsvSource({"run, run, 0", "rn, run, 1", "rnu, run, 1", "'', run, 3", "kitten, sitting, 3", "ca, abc, 3"})
    @DisplayName("distance counts letters put in, left out, replaced, or swapped with a neighbour; both ways the same")
    void distance(String a, String b, int distance) {
        assertThat(SpellingSuggestion.distance(a, b)).isEqualTo(distance);
        assertThat(SpellingSuggestion.distance(b, a)).isEqualTo(distance);
    }

    @Test
    @DisplayName("the nearest of several is found within so many mistakes")
    void nearest() {
        List<String> names = List.of("TLS", "TL_P2P_TUNE", "TL_SELF_TUNE");
        assertThat(SpellingSuggestion.of("TSL", names, 1)).contains("TLS");
        assertThat(SpellingSuggestion.of("TL_PSP_TUNNE", names, 2)).contains("TL_P2P_TUNE");
        assertThat(SpellingSuggestion.of("TL_PSP_TUNNE", names, 1)).isEmpty();
    }
}
