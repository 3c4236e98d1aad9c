// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// What the launcher does with very many lines of PEs, and with very long ones.
class LongLinesTest {
    private static final int MEBI = 1 << 20;

    @ParameterizedTest
    @CsvSource({"PROCESSES,400,3000", "PROCESSES,3," + 3 * MEBI, "THREADS,400,3000", "THREADS,3," + 3 * MEBI})
    void linesOfPesThatPrintAtOnceComeOutWhole(PeMode mode, int lines, int length) {
        try (Launch launch = Launch.run(
                "pes=2 output=lines mode=" + mode,
                Programs.Prints.class,
                Integer.toString(lines),
                Integer.toString(length))) {
            assertThat(launch.exitCode()).isZero();
            // In threads mode the environment, and so the text, is PE 0's for all.
            int second = mode == PeMode.PROCESSES ? 1 : 0;
            List<String> expected = Stream.of(
                            "0 out " + text("o0", length),
                            "0 err " + text("e0", length),
                            "1 out " + text("o" + second, length),
                            "1 err " + text("e" + second, length))
                    .flatMap(line -> Collections.nCopies(lines + 1, line).stream())
                    .toList();
            assertThat(launch.out()).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    @DisplayName("a line of more than 1 MiB comes in pieces, and each piece but the last ends with a backslash")
    void aVeryLongLineComesInPieces(PeMode mode) {
        try (Launch launch = Launch.run(
                "pes=1 output=tagged mode=" + mode, Programs.Prints.class, "1", Integer.toString(2 * MEBI + 10))) {
            assertThat(launch.exitCode()).isZero();
            String piece = "[0] " + text("o0", MEBI) + "\\";
            assertThat(launch.out()).containsExactly(piece, piece, "[0] o0o0o0o0", piece, piece, "[0] o0o0o0o0");
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    @DisplayName("a file of the output has a line of 150 MB without marks, and the launcher does not hold it")
    void aFileHasTheWholeLine(PeMode mode, @TempDir Path folder) throws IOException {
        try (Launch launch = Launch.run("pes=1 folder=" + folder + " mode=" + mode, PrintsLongLine.class)) {
            assertThat(launch.exitCode()).as("%s", launch.err()).isZero();
            assertThat(folder.resolve("pe.0.out")).hasSize(150L * MEBI + 1);
        }
    }

    /// Prints 150 MiB without the end of a line.
    static final class PrintsLongLine {
        public static void main(String[] args) {
            byte[] piece = text("xy", MEBI).getBytes(StandardCharsets.US_ASCII);
            for (int i = 0; i < 150; i++) {
                System.out.write(piece, 0, piece.length);
            }
            System.out.flush();
        }
    }

    private static String text(String piece, int length) {
        return piece.repeat(length / piece.length() / 2 * 2);
    }
}
