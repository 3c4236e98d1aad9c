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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The NAS Parallel Benchmarks in the folder `npb`, in their smallest class.
class NasBenchmarksTest {
    private static final List<String> KERNELS = List.of("EP", "IS", "CG", "MG", "FT", "LU", "SP", "BT");

    @TempDir
    private Path folder;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// A build runs each kernel on threads, and MG on processes. Three PEs get parts of different sizes; MG takes
    /// powers of 2 alone.
    static Stream<Arguments> runs() {
        List<Pes> all = List.of(
                new Pes(4, "threads"),
                new Pes(2, "processes"),
                new Pes(1, "processes"),
                new Pes(4, "processes"),
                new Pes(1, "threads"),
                new Pes(2, "threads"),
                new Pes(3, "threads"),
                new Pes(8, "threads"));
        if (!Boolean.getBoolean("coterie.soak")) {
            return Stream.concat(
                    KERNELS.stream().map(kernel -> Arguments.of(kernel, all.get(0))),
                    Stream.of(Arguments.of("MG", all.get(1))));
        }
        return all.stream()
                .flatMap(pes -> KERNELS.stream()
                        .filter(kernel -> pes.number() != 3 || !kernel.equals("MG"))
                        .map(kernel -> Arguments.of(kernel, pes)));
    }

    @ParameterizedTest(name = "{0} on {1}")
    @MethodSource("runs")
    @DisplayName("each benchmark verifies its results by the published values, and reports in the published form")
    void resultsAreVerified(String kernel, Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "npb/" + kernel + ".java", "S");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .contains(
                        " " + kernel + " Benchmark Completed.",
                        " Class           = %24s".formatted("S"),
                        " Total processes = %24d".formatted(pes.number()),
                        " Verification    = %24s".formatted("SUCCESSFUL"))
                .anyMatch(line -> line.matches(" Time in seconds = +\\d+\\.\\d\\d"))
                .anyMatch(line -> line.matches(" Mop/s total     = +\\d+\\.\\d\\d"));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "IS, IS.java, smaller = before;, smaller = before + 1;",
        "MG, MG.java, '-1.0 / 64, 0);', '-1.0 / 64, 1e-5);'",
        "LU, FlowSweep.java, 'enthalpy * du) + drag', 'enthalpy * dv) + drag'"
    })
    @DisplayName("a benchmark whose source gets a small mistake says that its results are wrong, and fails")
    void mistakesAreFound(String kernel, String file, String right, String wrong) throws Exception {
        Path npb = ProgramRun.EXAMPLES.resolve("npb");
        for (Path source : list(npb)) Files.copy(source, folder.resolve(source.getFileName()));
        String text = Files.readString(folder.resolve(file));
        assertThat(text).contains(right);
        Files.writeString(folder.resolve(file), text.replace(right, wrong));

        ProgramRun run = ProgramRun.of(
                new Pes(2, "threads"), folder.resolve(kernel + ".java").toString(), "S");

        assertThat(run.output()).contains(" Verification    = %24s".formatted("UNSUCCESSFUL"));
        assertThat(run.exitCode()).isOne();
        assertThat(String.join("\n", run.errors())).contains(kernel + " class S: the results are wrong");
    }

    @ParameterizedTest(name = "{0}: {3}")
    @CsvSource({
        "EP, EP.java, sumOfX += first;, sumOfX += second;",
        "CG, SparseRows.java, elements[at] = 0.5;, elements[at] = 0.500001;",
        "FT, FT.java, decayY[firstY + j], decayY[j]",
        "LU, FlowFluxes.java, viscosity / 6, viscosity / 6.0001",
        "SP, SP.java, == 0 ? 5 : 6, == 0 ? 6 : 6",
        "BT, GasJacobian.java, own * own / 3, own * own / 4"
    })
    @Tag("soak")
    @DisplayName("each benchmark whose source gets a small mistake says that its results are wrong, and fails")
    void moreMistakesAreFound(String kernel, String file, String right, String wrong) throws Exception {
        mistakesAreFound(kernel, file, right, wrong);
    }

    private static List<Path> list(Path npb) throws IOException {
        try (Stream<Path> files = Files.list(npb)) {
            return files.toList();
        }
    }
}
