// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTextTest {
    @ParameterizedTest
    @ValueSource(ints = {80, 100, 120})
    @DisplayName("help has lines of at most the width, and no paragraph has a short line between two others")
    void widths(int width) {
        for (Command command : Command.values()) {
            List<String> lines = HelpText.help(command, width).lines().toList();
            assertThat(lines).as(command.label()).allMatch(line -> line.length() <= width);
            for (int i = 1; i + 1 < lines.size(); i++) {
                boolean isInside = isText(lines.get(i - 1)) && isText(lines.get(i)) && isText(lines.get(i + 1));
                if (isInside) {
                    String next = lines.get(i + 1).split(" ", -1)[0];
                    assertThat(lines.get(i).length() + 1 + next.length())
                            .as("%s: %s", command.label(), lines.get(i))
                            .isGreaterThanOrEqualTo(width);
                }
            }
        }
        assertThat(HelpText.help(width).lines()).allMatch(line -> line.length() <= width);
    }

    /// Returns whether a line is of a paragraph; a headline ends with a colon.
    private static boolean isText(String line) {
        return !line.isBlank() && !line.startsWith(" ") && !line.endsWith(":");
    }

    @Test
    @DisplayName("the width is that of COLUMNS, within bounds")
    void columns() {
        assertThat(TerminalWidth.of(Map.of("COLUMNS", "97"))).isEqualTo(97);
        assertThat(TerminalWidth.of(Map.of("COLUMNS", "20"))).isEqualTo(60);
        assertThat(TerminalWidth.of(Map.of("COLUMNS", "500"))).isEqualTo(120);
    }
}
