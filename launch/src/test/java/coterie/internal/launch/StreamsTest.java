// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The launcher prints what PEs print in whole lines, and passes on what they are to read.
class StreamsTest {
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
