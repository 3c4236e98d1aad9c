// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private long now;

    @Test
    @DisplayName("a long run has a line every five seconds, with what is left, and none at its end")
    void lines() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Progress progress = new Progress("coterie perf", 40, new PrintStream(err, true, UTF_8), () -> now);
        for (int done = 1; done <= 40; done++) {
            now += Progress.INTERVAL_NANOS / 10;
            progress.done(done, "put");
        }
        assertThat(err.toString(UTF_8))
                .hasLineCount(3)
                .startsWith("coterie perf: 10 of 40 points after 5 s, the last one of put; about 15 s left\n")
                .contains("30 of 40 points after 15 s");
    }
}
