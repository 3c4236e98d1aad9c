// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The launcher prints what PEs print in whole lines, and passes on what they are to read.
class StreamsTest {
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

    @Test
    void aConsoleTagsEveryLineIfAskedToAndKeepsTheStreamsApart() {
        try (Launch launch = Launch.run("pes=2 output=tagged", Programs.Prints.class, "1", "10")) {
            assertThat(launch.out())
                    .containsExactlyInAnyOrder(
                            "[0] " + text("o0", 10), "[0] " + text("o0", 10),
                            "[1] " + text("o1", 10), "[1] " + text("o1", 10));
            assertThat(launch.err())
                    .containsExactlyInAnyOrder(
                            "[0] " + text("e0", 10), "[0] " + text("e0", 10),
                            "[1] " + text("e1", 10), "[1] " + text("e1", 10));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFolderGetsTwoFilesForEachPe(PeMode mode, @TempDir Path folder) throws IOException {
        Path output = folder.resolve("made/for/it");
        try (Launch launch = Launch.run("pes=2 folder=" + output + " mode=" + mode, Programs.Prints.class, "0", "10")) {
            assertThat(launch.exitCode()).isZero();
            assertThat(launch.out()).isEmpty();
            assertThat(output.resolve("pe.0.out")).hasContent(text("o0", 10));
            assertThat(output.resolve("pe.1.err")).hasContent(text(mode == PeMode.PROCESSES ? "e1" : "e0", 10));
            assertThat(Files.readString(output.resolve("pe.0.err"))).endsWith("\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void peZeroReadsTheLaunchersInputAndTheOthersAreAtItsEnd(PeMode mode) {
        try (Launch launch = Launch.start("pes=2 output=lines mode=" + mode, Programs.Reads.class)) {
            launch.type("one\ntwo");
            assertThat(launch.awaitEnd()).isZero();
            assertThat(launch.out())
                    .containsExactlyInAnyOrder("0 out read one", "0 out read two", "0 out end", "1 out end");
        }
    }

    // In the tests' simulator a PE that waits outside of the waiting room, as for its input, blocks all.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void eachPeReadsItsPipe(PeMode mode) {
        try (Launch launch =
                Launch.start("pes=2 input=PIPES commands=true output=lines mode=" + mode, Programs.Reads.class)) {
            launch.command("input 1 for one");
            launch.awaitOut("1 out read for one", 1);
            launch.command("end 1");
            launch.awaitOut("1 out end", 1);
            launch.command("input 0 for none");
            launch.command("end 0");
            assertThat(launch.awaitEnd()).isZero();
            assertThat(launch.out())
                    .containsExactlyInAnyOrder("1 out read for one", "1 out end", "0 out read for none", "0 out end");
        }
    }

    @Test
    void aJobWhoseOutputNobodyReadsAnyMoreEndsWith141AndInSilence() throws Exception {
        try (Launch launch = Launch.start("pes=2", PrintsForever.class)) {
            launch.awaitOut("first", 2);
            launch.launcher().getInputStream().close();
            assertThat(launch.launcher().waitFor(Launch.PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .isTrue();
            assertThat(launch.exitCode()).isEqualTo(141);
            assertThat(launch.err()).isEmpty();
        }
    }

    @Test
    void outputThatAProcessLeftBehindHoldsOpenDoesNotHoldUpTheJob() {
        try (Launch launch = Launch.run("pes=1", LeavesProcess.class)) {
            assertThat(launch.exitCode()).isZero();
            assertThat(launch.out()).containsExactly("left");
            launch.processes().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
        }
    }

    /// Its process outlasts the time limit of every test.
    static final class LeavesProcess {
        public static void main(String[] args) throws IOException {
            new ProcessBuilder("sleep", "1000").inheritIO().start();
            System.out.println("left");
        }
    }

    static final class PrintsForever {
        public static void main(String[] args) throws InterruptedException {
            System.out.println("first");
            while (!System.out.checkError()) {
                System.out.println("x");
                Thread.sleep(1);
            }
        }
    }

    private static String text(String piece, int length) {
        return piece.repeat(length / piece.length() / 2 * 2);
    }
}
