// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs the two faces of the page that says how to write one.
class FacePageTest {
    private static final Pattern BLOCK = Pattern.compile("(?ms)^```java\\n(.*?)^```");
    private static final int IMAGES = 4;

    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// Writes a program of the page to a file.
    ///
    /// @param number of its block, from 0 on
    private String program(int number) throws IOException {
        List<String> blocks = BLOCK.matcher(
                        Files.readString(ProgramRun.EXAMPLES.resolveSibling("docs/writing-a-face.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(blocks).hasSize(2);
        return Files.writeString(folder.resolve("Face.java"), blocks.get(number))
                .toString();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("coterie.examples.ExamplesTest#pes")
    @DisplayName("waits of the program advance the stream in miniature, and no PE waits for another's first request")
    void streams(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, program(0));

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        int size = pes.number();
        assertThat(run.output())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, size)
                        .mapToObj(pe -> "PE " + pe + ": token 7, sum " + size * (size + 1) / 2)
                        .toList());
    }

    static List<String> modes() {
        List<String> all = List.of("processes", "threads");
        return Boolean.getBoolean("coterie.soak") ? all : all.subList(0, 1);
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("an image in miniature fails in a critical section: waits for it end, and the others go on")
    void images(String mode) throws Exception {
        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of("-n", Integer.toString(IMAGES), "--pes", mode, "--on-failure", "continue"));
        words.addAll(List.of("--timeout", "100s", program(1)));
        ProgramRun run = ProgramRun.coterie(Map.of(), words);

        String result = " of 3: posts true false, sum 800"; // of images 1, 3 and 4
        assertThat(run.output())
                .containsExactlyInAnyOrder(
                        "image 1" + result, "image 2" + result, "image 3" + result, "critical after PE 1");
        assertThat(run.exitCode()).isZero();
    }
}
