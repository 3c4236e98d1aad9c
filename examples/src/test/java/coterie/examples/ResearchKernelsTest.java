// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The Parallel Research Kernels in the folder `prk`, at small sizes.
class ResearchKernelsTest {

    @TempDir
    private Path folder;

    /// A kernel with small numbers, which the PEs do not divide where the kernel allows that.
    ///
    /// @param arguments with spaces between them
    record Kernel(String name, boolean takesThree, String unit, String arguments) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Kernel> KERNELS = List.of(
            new Kernel("StarStencil", true, "MFlops/s", "7 61"),
            new Kernel("Transpose", true, "MB/s", "5 132"),
            new Kernel("Wavefront", true, "MFlops/s", "6 53 47"),
            new Kernel("RandomAccess", false, "GUPS/s", "8 14"),
            new Kernel("Reduce", true, "MFlops/s", "5 2500"));

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// A build runs each kernel on threads, and one on processes.
    static Stream<Arguments> runs() {
        List<Pes> all = List.of(
                new Pes(4, "threads"),
                new Pes(2, "processes"),
                new Pes(1, "processes"),
                new Pes(4, "processes"),
                new Pes(1, "threads"),
                new Pes(2, "threads"),
                new Pes(3, "threads"));
        if (!Boolean.getBoolean("coterie.soak")) {
            return Stream.concat(
                    KERNELS.stream().map(kernel -> Arguments.of(kernel, all.getFirst())),
                    Stream.of(Arguments.of(KERNELS.getFirst(), all.get(1))));
        }
        return all.stream()
                .flatMap(pes -> KERNELS.stream()
                        .filter(kernel -> pes.number() != 3 || kernel.takesThree)
                        .map(kernel -> Arguments.of(kernel, pes)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("runs")
    @DisplayName(
            "each kernel verifies its solution by the value that mathematics gives, and reports in the form of PRK")
    void solutionsAreVerified(Kernel kernel, Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "prk/" + kernel.name + ".java", kernel.arguments.split(" "));

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .contains("Number of PEs = " + pes.number(), "Solution validates")
                .anyMatch(line ->
                        line.matches("Rate \\(" + kernel.unit + "\\): \\d+\\.\\d+ Avg time \\(s\\): \\d+\\.\\d+"));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "StarStencil, 5 40, 'row[i + 3] - row[i + 1]', 'row[i + 3] - row[i + 2]', the L1 norm is",
        "RandomAccess, 8 14, ^= number, += number, elements are wrong",
        "Reduce, 5 2500, part[i] += 1, part[i] += 1.000001, elements of the sum are not 88.0"
    })
    @DisplayName("a kernel whose source gets a small mistake says what is wrong, and fails")
    void mistakesAreFound(String kernel, String arguments, String right, String wrong, String message)
            throws Exception {
        Path prk = ProgramRun.EXAMPLES.resolve("prk");
        for (Path source : list(prk)) Files.copy(source, folder.resolve(source.getFileName()));
        Path program = folder.resolve(kernel + ".java");
        String text = Files.readString(program);
        assertThat(text).contains(right);
        Files.writeString(program, text.replace(right, wrong));

        ProgramRun run = ProgramRun.of(new Pes(4, "threads"), program.toString(), arguments.split(" "));

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).doesNotContain("Solution validates");
        assertThat(String.join("\n", run.errors())).contains(kernel + ": the solution is wrong: ", message);
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "StarStencil, 5 40, 'halo(turn, 1), me - 1', 'halo(turn, 0), me - 1', the L1 norm is",
        "Transpose, 5 132, '= value + 1;', '= value;', the errors of all elements are",
        "Transpose, 5 132, 'block(turn, me) +', 'block(1 - turn, me) +', the errors of all elements are",
        "Wavefront, 5 50 50, two + (next + (above, one + (next + (above, the last point is",
        "Wavefront, 5 50 50, '-corner()', 'corner()', the last point is",
        "RandomAccess, 8 14, 'apply(received, 0, size)', 'apply(received, 0, size - 1)', updates"
    })
    @Tag("soak")
    @DisplayName("each kernel whose source gets a small mistake says what is wrong, and fails")
    void moreMistakesAreFound(String kernel, String arguments, String right, String wrong, String message)
            throws Exception {
        mistakesAreFound(kernel, arguments, right, wrong, message);
    }

    @ParameterizedTest
    @CsvSource({
        "StarStencil, 4, 5 15, 'StarStencil: SIZE on 4 PEs is at least 16, not 15'",
        "Wavefront, 2, 5 0 7, 'Wavefront: COLUMNS is a number from 1 to 999999999, not 0'"
    })
    @DisplayName("a wrong argument or number of PEs is named, with a non-zero exit code")
    void wrongArgumentsAreNamed(String kernel, int pes, String arguments, String message) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(pes, "threads"), "prk/" + kernel + ".java", arguments.split(" "));

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).isEmpty();
        assertThat(String.join("\n", run.errors())).contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "Transpose, 3, 5 64, 'Transpose: ORDER is a multiple of 3 PEs, not 64'",
        "RandomAccess, 3, 8 14, 'RandomAccess: the number of PEs is a power of 2, not 3'",
        "RandomAccess, 2, 6 14, 'RandomAccess: RATIO is a power of 2, not 6'",
        "RandomAccess, 2, 8 4, 'RandomAccess: a PE has at least 2048 updates, not 64'",
        "Wavefront, 2, 5 2 7, 'Wavefront: COLUMNS on 2 PEs are more than that, not 2'",
        "Reduce, 1, 5, 'Reduce takes ITERATIONS LENGTH, not [5]'"
    })
    @Tag("soak")
    @DisplayName("each wrong argument or number of PEs is named, with a non-zero exit code")
    void moreWrongArgumentsAreNamed(String kernel, int pes, String arguments, String message) throws Exception {
        wrongArgumentsAreNamed(kernel, pes, arguments, message);
    }

    @Test
    @DisplayName("a kernel explains itself once")
    void kernelsExplainThemselves() throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), "prk/Reduce.java", "--help");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).containsExactly("usage: coterie run -n PES Reduce.java [ITERATIONS LENGTH]");
    }

    private static List<Path> list(Path prk) throws IOException {
        try (Stream<Path> files = Files.list(prk)) {
            return files.toList();
        }
    }
}
