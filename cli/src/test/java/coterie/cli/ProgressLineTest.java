// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressLineTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private long now;

    private ProgressLine line(boolean isTerminal) {
        return new ProgressLine(new PrintStream(err, true, UTF_8), isTerminal, () -> now);
    }

    @Test
    @DisplayName(
            "without a terminal a command that takes long has a line every five seconds, without control characters")
    void log() {
        ProgressLine line = line(false);
        for (int seed = 0; seed < 30; seed++) {
            line.show("seed " + seed);
            now += ProgressLine.INTERVAL_NANOS / 10;
        }
        line.clear();
        assertThat(err.toString(UTF_8)).isEqualTo("seed 10\nseed 20\n");
    }

    @Test
    @DisplayName("on a terminal each text replaces the one before")
    void terminal() {
        ProgressLine line = line(true);
        line.show("seed 1");
        line.show("seed 2");
        line.clear();
        assertThat(err.toString(UTF_8)).isEqualTo("\r\033[Kseed 1\r\033[Kseed 2\r\033[K");
    }
}
