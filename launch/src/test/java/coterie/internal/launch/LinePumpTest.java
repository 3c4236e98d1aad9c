// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LinePumpTest {
    private static final int MOST = 100_000;

    private static List<String> pieces(String text, int mostLineBytes, String continuation) throws Exception {
        List<String> pieces = new ArrayList<>();
        LineTarget target = new LineTarget() {
            @Override
            public void lines(byte[] bytes, int from, int to) {
                pieces.add(new String(bytes, from, to - from, StandardCharsets.UTF_8));
            }
        };
        LinePump pump = new LinePump(
                "pump under test",
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
                target,
                mostLineBytes,
                continuation.getBytes(StandardCharsets.UTF_8),
                cause -> {
                    throw new AssertionError(cause);
                });
        pump.start();
        pump.join();
        return pieces;
    }

    @Test
    @DisplayName("the pump passes a line of the greatest length on whole, and a longer line in pieces with the mark")
    void cutsLongLines() throws Exception {
        assertThat(pieces("x".repeat(MOST) + "\n", MOST, "\\\n")).containsExactly("x".repeat(MOST) + "\n");
        assertThat(pieces("x".repeat(MOST + 1) + "\n", MOST, "\\\n")).containsExactly("x".repeat(MOST) + "\\\n", "x\n");
        assertThat(pieces("x".repeat(2 * MOST), MOST, "\\\n"))
                .containsExactly("x".repeat(MOST) + "\\\n", "x".repeat(MOST) + "\n");
    }

    @Test
    @DisplayName("the pump cuts no character of UTF-8, and without a mark the pieces are the line")
    void keepsCharacters() throws Exception {
        String text = "€".repeat(MOST); // 3 bytes each, and MOST is no multiple of 3
        assertThat(pieces(text, MOST, "")).allMatch(piece -> piece.indexOf('\uFFFD') < 0);
        assertThat(String.join("", pieces(text, MOST, ""))).isEqualTo(text + "\n");
    }
}
