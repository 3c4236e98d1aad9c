// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.Terminal.Style;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TerminalTest {
    @Test
    @DisplayName("NO_COLOR with any text, and a dumb terminal, have no colour; an empty NO_COLOR says nothing")
    void noColor() {
        assertThat(Terminal.allowsColor(Map.of("TERM", "xterm"))).isTrue();
        assertThat(Terminal.allowsColor(Map.of("NO_COLOR", ""))).isTrue();
        assertThat(Terminal.allowsColor(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Terminal.allowsColor(Map.of("TERM", "dumb"))).isFalse();
        assertThat(Style.RED.of("bad", false)).isEqualTo("bad");
        assertThat(Style.RED.of("bad", true)).isEqualTo("\033[31mbad\033[0m");
    }

    @Test
    @DisplayName("the lines of a launcher that writes to a pipe have no colour")
    void pipe() {
        try (Launch launch = Launch.run("pes=2", Programs.Exits.class, "1", "3")) {
            assertThat(launch.reports()).singleElement().asString().startsWith("coterie: PE 1 ");
        }
    }
}
