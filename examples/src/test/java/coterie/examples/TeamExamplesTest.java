// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs that make teams.
class TeamExamplesTest {
    private static final String PES = "coterie.examples.ExamplesTest#threads";

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PES)
    @DisplayName("translate: each member of the even PEs' team knows its number in the world")
    void translationsAreRight(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "TranslatePe.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        int members = (pes.number() + 1) / 2;
        assertThat(run.output())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, members)
                        .mapToObj(i -> "member " + i + " of " + members + " is PE " + 2 * i + " of " + pes.number())
                        .toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PES)
    @DisplayName("strided split: the even PEs are members, and the odd ones are not")
    void evenPesAreMembers(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "SplitStrided.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        int members = (pes.number() + 1) / 2;
        assertThat(run.output())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, pes.number())
                        .mapToObj(pe -> "PE " + pe
                                + (pe % 2 == 0 ? " is member " + pe / 2 + " of " + members : " is no member"))
                        .toList());
    }

    @Test
    @DisplayName("strided split: a negative stride reverses; a triplet that leaves the world is refused on every PE")
    void tripletsAreChecked() throws Exception {
        ProgramRun reversed = ProgramRun.of(new Pes(4, "threads"), "SplitStrided.java", "3", "-1", "4");
        assertThat(reversed.errors()).isEmpty();
        assertThat(reversed.exitCode()).isZero();
        assertThat(reversed.output())
                .containsExactlyInAnyOrder(
                        "PE 0 is member 3 of 4",
                        "PE 1 is member 2 of 4",
                        "PE 2 is member 1 of 4",
                        "PE 3 is member 0 of 4");

        ProgramRun refused = ProgramRun.of(new Pes(2, "threads"), "SplitStrided.java", "1", "1", "2");
        assertThat(refused.exitCode()).isOne();
        assertThat(refused.output()).isEmpty();
        assertThat(String.join("\n", refused.errors())).contains("start 1, stride 1, size 2; allowed are");
    }

    @Test
    @DisplayName("3-D split: twelve PEs are a grid of 3 x 2 x 2")
    void twelvePesAreThreeByTwoByTwo() throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(12, "threads"), "Split3D.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .containsExactly(
                        "xdim = 3, ydim = 2, zdim = 2",
                        "(0, 0, 0) is mype = 0",
                        "(1, 0, 0) is mype = 1",
                        "(2, 0, 0) is mype = 2",
                        "(0, 1, 0) is mype = 3",
                        "(1, 1, 0) is mype = 4",
                        "(2, 1, 0) is mype = 5",
                        "(0, 0, 1) is mype = 6",
                        "(1, 0, 1) is mype = 7",
                        "(2, 0, 1) is mype = 8",
                        "(0, 1, 1) is mype = 9",
                        "(1, 1, 1) is mype = 10",
                        "(2, 1, 1) is mype = 11");
    }

    @ParameterizedTest
    @CsvSource({
        "2, processes, '', 'xdim = 2, ydim = 1, zdim = 1', '(1, 0, 0) is mype = 1'",
        "7, threads, 3 2, 'xdim = 3, ydim = 2, zdim = 2', '(0, 0, 1) is mype = 6'"
    })
    @DisplayName("3-D split: any number of PEs, and grids that they don't fill")
    void anyNumberOfPesIsSplit(int number, String mode, String dimensions, String first, String last) throws Exception {
        ProgramRun run = ProgramRun.of(
                new Pes(number, mode), "Split3D.java", dimensions.isEmpty() ? new String[0] : dimensions.split(" "));

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).hasSize(number + 1).startsWith(first).endsWith(last);
    }

    @ParameterizedTest
    @CsvSource({
        "1, processes, '', 'xdim = 1, ydim = 1, zdim = 1', '(0, 0, 0) is mype = 0'",
        "4, processes, '', 'xdim = 2, ydim = 2, zdim = 1', '(1, 1, 0) is mype = 3'",
        "7, threads, '', 'xdim = 7, ydim = 1, zdim = 1', '(6, 0, 0) is mype = 6'",
        "2, threads, 5 5, 'xdim = 2, ydim = 1, zdim = 1', '(1, 0, 0) is mype = 1'"
    })
    @Tag("soak")
    @DisplayName("3-D split: more numbers of PEs, and grids that they don't fill")
    void moreNumbersOfPesAreSplit(int number, String mode, String dimensions, String first, String last)
            throws Exception {
        anyNumberOfPesIsSplit(number, mode, dimensions, first, last);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PES)
    @DisplayName("summa: every element is right, also where blocks and panels are of several sizes, or empty")
    void summaMultiplies(Pes pes) throws Exception {
        for (int size : List.of(1, 53)) {
            ProgramRun run =
                    ProgramRun.of(pes, "Summa.java", "--size", Integer.toString(size), "--panel", "7", "--rounds", "2");

            assertThat(run.errors()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThat(run.output())
                    .singleElement()
                    .asString()
                    .matches(size + " x " + size + " on a grid of \\d x \\d PEs: [0-9.]+ s, [0-9.]+ GFLOP/s");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PES)
    @DisplayName("integer sort: no key is lost, and all are in order, also where PEs get none")
    void integersAreSorted(Pes pes) throws Exception {
        for (int keys : List.of(0, 1, 5000)) {
            ProgramRun run = ProgramRun.of(
                    pes, "IntegerSort.java", "--keys", Integer.toString(keys), "--rounds", "2", "--seed", "7");

            assertThat(run.errors()).isEmpty();
            assertThat(run.exitCode()).isZero();
            assertThat(run.output())
                    .singleElement()
                    .asString()
                    .startsWith(keys * pes.number() + " keys on " + pes.number() + " PEs in ")
                    .endsWith("all in order");
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource(PES)
    @DisplayName("regression: the weights are found, and the program says by which algorithm")
    void weightsAreFound(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Regression.java", "500");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith(
                        "8 weights from " + 500 * pes.number() + " points on " + pes.number() + " PEs in 60 steps, ")
                .endsWith(" off, by mapped/partitioned");
    }
}
