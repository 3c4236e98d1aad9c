// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// What the programs say of themselves and of their arguments.
class ExampleArgumentsTest {
    private static final int LONGEST = 165;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// A build starts a few of them.
    static List<Path> programs() throws IOException {
        List<Path> all = ExamplesTest.programs();
        return Boolean.getBoolean("coterie.soak")
                ? all
                : all.stream()
                        .filter(program -> List.of("Hello.java", "Ring.java", "Heat.java")
                                .contains(program.getFileName().toString()))
                        .toList();
    }

    @ParameterizedTest
    @CsvSource({"Heat.java, --size, 0, --size is at least 1", "Gups.java, --bits, 41, '--bits is in [1, 40], not 41'"})
    @DisplayName("a wrong option or value is named, with a non-zero exit code")
    void wrongOptionsAreNamed(String program, String option, String value, String message) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), program, option, value);

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).isEmpty();
        assertThat(String.join("\n", run.errors())).contains(message);
    }

    @ParameterizedTest
    @CsvSource({
        "Heat.java, --sizes, 5, --sizes is no option",
        "Gups.java, --bits, many, many",
        "Pipeline.java, --slots, 0, --slots are at least 1",
        "Split3D.java, 0, 2, rows of 0; allowed are 1 and more",
        "Summa.java, --panel, 0, --panel is at least 1",
        "IntegerSort.java, --keys, -1, '--keys is at least 0, --rounds at least 1'",
        "PageRank.java, --bottom, 5, --bottom is no option"
    })
    @Tag("soak")
    @DisplayName("a wrong option or value of any program is named, with a non-zero exit code")
    void moreWrongOptionsAreNamed(String program, String option, String value, String message) throws Exception {
        wrongOptionsAreNamed(program, option, value, message);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("coterie.examples.ExamplesTest#programs")
    @DisplayName("every program says what it shows and prints and how to run it, and fits on two pages")
    void programsAreDescribed(Path program) throws Exception {
        String name = program.getFileName().toString();
        assertThat(Files.readAllLines(program)).hasSizeLessThanOrEqualTo(LONGEST);
        assertThat(Files.readString(program))
                .contains("/// ", "Shows: ", "Prints: ")
                .containsPattern("Run: `coterie run -n [46] (--[a-z-]+ [a-z]+ )?" + name);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("programs")
    @DisplayName("every program explains itself once, whatever the number of PEs")
    void programsExplainThemselves(Path program) throws Exception {
        String name = program.getFileName().toString();
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), name, "--help");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .filteredOn(line -> line.startsWith("usage: coterie run -n PES " + name))
                .hasSize(1);
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
