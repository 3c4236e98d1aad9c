// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("coterie perf")
class PerfCommandTest {
    static final Map<String, String> BRIEFLY = Map.of("BENCH_REPS", "3", "BENCH_REP_MS", "1");

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("--csv prints a header, rows of the agreed form and nothing else, two for each point")
    void printsRows() throws Exception {
        ProgramRun run = perf(
                "-n",
                "2",
                "--csv",
                "--system",
                "mine",
                "--check",
                "--warmup",
                "100",
                "--sizes",
                "8:64",
                "--ops",
                "put,put_bw,fadd,reduce");

        assertThat(messages(run)).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().getFirst()).isEqualTo("system,op,np,bytes,metric,unit,value");
        List<String> rows = run.output().subList(1, run.output().size());
        assertThat(rows)
                .allMatch(row ->
                        row.matches("mine,[a-z_]+,2,\\d+,(lat_(med|cut|min),ns|bw_(med|cut|max),GB/s),\\d+\\.\\d\\d"));
        assertThat(rows.stream()
                        .collect(Collectors.groupingBy(
                                row -> row.replaceFirst("mine,([a-z_]+),.*", "$1"), Collectors.counting())))
                .isEqualTo(Map.of("put", 8L, "put_bw", 8L, "fadd", 2L, "reduce", 8L));
    }

    @Test
    @DisplayName("tables say on what they were made, and one PE prints them")
    void printsTables() throws Exception {
        ProgramRun run = perf("-n", "3", "--full", "--warmup", "10", "--sizes", "8:8");

        assertThat(messages(run)).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().getFirst()).startsWith("# Coterie perf ").endsWith(": 3 PEs");
        assertThat(run.output().stream()
                        .filter(line -> line.matches("# [a-z]+: .*"))
                        .map(line -> line.replaceFirst("# ([a-z]+): .*", "$1")))
                .containsExactly("barrier", "reduce", "bcast", "fcollect", "alltoall", "halo", "wavefront");
        assertThat(run.output())
                .filteredOn(line -> !line.isEmpty() && !line.startsWith("#"))
                .as("one row for each operation")
                .hasSize(7);
    }

    @Test
    @DisplayName("a wrong argument ends in exit code 2 and one line that names it")
    void refusesWrongArguments() throws Exception {
        ProgramRun run = perf("-n", "2", "--ops", "putt");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.output()).isEmpty();
        assertThat(run.errors())
                .filteredOn(line -> line.startsWith("coterie perf: "))
                .singleElement()
                .asString()
                .contains("\"putt\"")
                .contains("put_quiet");
    }

    @Test
    @DisplayName("--plot draws the points that have settled, or says that there are too few; the rows are the same")
    void draws(@TempDir Path folder) throws Exception {
        Path picture = folder.resolve("perf.svg");
        ProgramRun run = perf("-n", "2", "--csv", "--plot", picture.toString(), "--sizes", "8:64", "--ops", "put");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.output()).hasSize(9);
        long settled =
                run.output().stream().filter(row -> row.contains("lat_med")).count();
        if (settled > 1) {
            assertThat(Files.readString(picture)).contains(">put, 2 PEs<", ">Coterie<");
            assertThat(messages(run)).isEmpty();
        } else {
            assertThat(messages(run)).singleElement().asString().contains("no picture " + picture);
        }
    }

    /// Returns what a run has printed on stderr, without its progress: how much of that there is depends on the
    /// machine.
    static List<String> messages(ProgramRun run) {
        return run.errors().stream()
                .filter(line -> !line.matches("coterie perf: \\d+ of \\d+ points after .*"))
                .toList();
    }

    static ProgramRun perf(String... arguments) throws Exception {
        return ProgramRun.coterie(
                BRIEFLY, Stream.concat(Stream.of("perf"), Stream.of(arguments)).toList());
    }
}
