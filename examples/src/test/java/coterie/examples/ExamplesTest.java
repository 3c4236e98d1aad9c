// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {
    private static final int LONGEST = 165;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    static List<Pes> pes() {
        return List.of(
                new Pes(1, "processes"), new Pes(2, "processes"), new Pes(4, "processes"), new Pes(2, "threads"));
    }

    static List<Path> programs() throws IOException {
        try (Stream<Path> files = Files.list(ProgramRun.EXAMPLES)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pes")
    @DisplayName("hello: one greeting of each PE")
    void helloGreets(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Hello.java");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output().stream()
                        .map(line -> line.replaceFirst(", process \\d+$", ""))
                        .sorted())
                .isEqualTo(IntStream.range(0, pes.number())
                        .mapToObj(pe -> "Hello from PE " + pe + " of " + pes.number())
                        .toList());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pes")
    @DisplayName("ring: the token counts every hop")
    void ringCountsHops(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Ring.java", "300");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith(300 * pes.number() + " hops on " + pes.number() + " PEs")
                .endsWith("the token holds " + 300 * pes.number());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pes")
    @DisplayName("pi: right to the error of its rule")
    void piIsRight(Pes pes) throws Exception {
        ProgramRun run = ProgramRun.of(pes, "Pi.java", "1000000");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith("pi is 3.14159265359")
                .contains("from 1000000 strips on " + pes.number() + " PEs");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    @DisplayName("every program explains itself once, whatever the number of PEs, and fits on two pages")
    void programsExplainThemselves(Path program) throws Exception {
        String name = program.getFileName().toString();
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), name, "--help");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .filteredOn(line -> line.startsWith("usage: coterie run -n PES " + name))
                .hasSize(1);
        assertThat(Files.readAllLines(program)).hasSizeLessThanOrEqualTo(LONGEST);
        assertThat(Files.readString(program)).contains("/// ", "Shows: ", "Run: `coterie run -n 4 " + name, "Prints: ");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    @DisplayName("every program that takes arguments refuses what it can't read, with a non-zero exit code")
    void programsRefuseNonsense(Path program) throws Exception {
        String name = program.getFileName().toString();
        ProgramRun run = ProgramRun.of(new Pes(2, "processes"), name, "no-number");

        if (name.equals("Hello.java")) {
            assertThat(run.exitCode()).isZero();
        } else {
            assertThat(run.exitCode()).isOne();
            assertThat(String.join("\n", run.errors())).contains("no-number");
        }
    }
}
