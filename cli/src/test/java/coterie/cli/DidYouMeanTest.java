// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DidYouMeanTest {
    @Test
    @DisplayName("the nearest of several is proposed, and nothing where none is near")
    void proposes() {
        List<String> commands = List.of("run", "info", "doctor", "ps");
        assertThat(DidYouMean.question("rn", commands)).isEqualTo("; did you mean run?");
        assertThat(DidYouMean.question("docter", commands)).isEqualTo("; did you mean doctor?");
        assertThat(DidYouMean.question("launch", commands)).isEmpty();
    }
}
