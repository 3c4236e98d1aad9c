// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Exceptions that end several PEs at once.
class TraceFoldTest {
    private final TraceFold fold = new TraceFold("UTF-8");

    private static final class Passed implements LineTarget {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public void lines(byte[] lines, int from, int to) {
            bytes.write(lines, from, to - from);
        }

        String text() {
            return bytes.toString(StandardCharsets.UTF_8);
        }
    }

    private Passed print(int pe, String... pieces) throws IOException {
        Passed passed = new Passed();
        LineTarget target = fold.of(pe, passed);
        for (String piece : pieces) {
            byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
            target.lines(bytes, 0, bytes.length);
        }
        return passed;
    }

    private static String marked(String text) {
        return TraceFold.BEGIN + text + TraceFold.END;
    }

    @Test
    @DisplayName("equal traces are one with the numbers of the PEs, and others stay as they are")
    void equalTraces() throws IOException {
        for (int pe : List.of(1, 0, 5, 2)) {
            print(pe, marked("E: bad\n\tat A.main(A.java:1)\n"));
        }
        print(3, marked("E: worse\n"));
        assertThat(fold.texts()).containsExactly("PEs 0-2, 5: E: bad\n\tat A.main(A.java:1)", "E: worse");
    }

    @Test
    @DisplayName("messages that differ by the number of their own PE alone are equal, and say whose words they are")
    void ownNumbers() throws IOException {
        for (int pe = 0; pe < 2; pe++) {
            print(pe, marked("E: put on PE " + pe + " to PE 10\n"));
            print(pe, marked("coterie: PE " + pe + " can't start\n"));
        }
        assertThat(fold.texts())
                .containsExactly(
                        "PEs 0, 1, in the words of PE 0: E: put on PE 0 to PE 10", "coterie: PEs 0, 1 can't start");
    }

    @Test
    @DisplayName("lines before and after a marked text pass, and a text whose PE was killed in it is not lost")
    void pieces() throws IOException {
        Passed passed = print(0, "a\n" + TraceFold.BEGIN + "E: b\n", "\tat c\n" + TraceFold.END + "d\n", "e\n");
        assertThat(passed.text()).isEqualTo("a\nd\ne\n");
        print(1, TraceFold.BEGIN + "E: cut\n");
        assertThat(fold.texts()).containsExactly("E: b\n\tat c", "E: cut");
    }

    @Test
    @DisplayName("a job prints an exception of several PEs once, with the line of the program first")
    void inAJob(@TempDir Path folder) {
        try (Launch launch = Launch.run("pes=4", Programs.AllThrow.class, folder.toString(), "2")) {
            assertThat(launch.exitCode()).isEqualTo(1);
            assertThat(launch.err())
                    .filteredOn(line -> line.contains("Exception in thread"))
                    .containsExactlyInAnyOrder(
                            "PEs 0, 1, 3, in the words of PE 0: Exception in thread \"main\""
                                    + " java.lang.IllegalStateException: what PE 0 has found",
                            "Exception in thread \"main\" java.lang.IllegalStateException: another one");
            assertThat(launch.err())
                    .filteredOn(line -> line.startsWith("\tat "))
                    .hasSize(2)
                    .allMatch(line -> line.contains("Programs$AllThrow.main(Programs.java:"));
        }
    }

    @Test
    @DisplayName("an output for each PE has each PE's own trace")
    void taggedOutput(@TempDir Path folder) {
        try (Launch launch = Launch.run("pes=2 output=tagged", Programs.AllThrow.class, folder.toString(), "2")) {
            assertThat(launch.err())
                    .filteredOn(line -> line.contains("Exception in thread"))
                    .hasSize(2)
                    .allMatch(line -> line.matches("\\[([01])] Exception .* what PE \\1 has found"));
        }
    }
}
