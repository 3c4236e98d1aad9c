// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private int run(String... words) {
        Map<String, String> environment = Map.of("XDG_CACHE_HOME", folder.toString());
        return Main.run(
                List.of(words),
                new CommandEnvironment(
                        new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), environment));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
                    rnu                  | coterie: unknown command rnu; did you mean run?
                    --versoin            | coterie: unknown option --versoin; did you mean --version?
                    run --heep=1g A.java | coterie run: unknown option --heep; did you mean --heap?
                    run -n               | coterie run: -n needs a value: -n N
                    run -n x A.java      | coterie run: -n x: expected a number of PEs in [1, 1024]
                    run                  | coterie run: no program
                    scale --most 1       | coterie scale: --most 1: expected a number of PEs in [2, 4096]
                    scale --node-size 0  | coterie scale: --node-size 0: expected a number of PEs in [1, 4096]
                    scale --sim x        | coterie scale: --sim x: "x" is not key=value
                    run --most 8 A.java  | coterie run: unknown option --most
                    run --scores A.java  | coterie run: unknown option --scores; 'coterie info' has it
                    run --config A.java  | coterie run: unknown option --config; 'coterie info' has it
                    perf --scores        | coterie perf: unknown option --scores; 'coterie info' has it
                    perf --config        | coterie perf: unknown option --config; 'coterie info' has it
                    run --heap 100t A.java | coterie run: --heap 100t: expected a size in [4k, 64t] for 1 PE
                    run --heap 4 A.java  | coterie run: --heap 4: expected a size in [4k, 64t] for 1 PE
                    info x               | coterie info: takes no arguments; leave out x
                    kill                 | coterie kill: name a JOB, or the process id of its launcher
                    help rnu             | coterie help: unknown command rnu; did you mean run?
                    """)
    @DisplayName("a wrong command line ends with 2, says what is wrong, and where to read on; nothing goes to stdout")
    void usage(String words, String message) {
        assertThat(run(words.split(" "))).isEqualTo(2);
        assertThat(err.toString(UTF_8)).startsWith(message).contains("Try 'coterie help");
        assertThat(out.size()).isZero();
    }

    @Test
    @DisplayName("no command at all ends with 2 and shows the help")
    void nothing() {
        assertThat(run()).isEqualTo(2);
        assertThat(err.toString(UTF_8)).contains("Commands:");
    }

    @Test
    @DisplayName("what can't be found ends with 127")
    void notFound() {
        assertThat(run("run", "absent.java")).isEqualTo(127);
        assertThat(err.toString(UTF_8)).isEqualTo("coterie run: can't find source file absent.java\n");
        err.reset();
        assertThat(run("kill", "no such job")).isEqualTo(127);
        assertThat(err.toString(UTF_8)).startsWith("coterie kill: no job no such job runs; ");
        err.reset();
        assertThat(run("ps", "no such job")).isEqualTo(127);
        assertThat(err.toString(UTF_8)).startsWith("coterie ps: no job no such job runs; ");
    }

    @ParameterizedTest
    @EnumSource(Command.class)
    @DisplayName("help names every option of a command, by each of its names, with what it takes and does")
    void help(Command command) {
        assertThat(run("help", command.label())).isZero();
        String words = out.toString(UTF_8).replaceAll("\\s+", " ");
        for (Option option : command.options()) {
            assertThat(words).contains(option.names()).contains(option.description());
            if (option.label() != null) {
                assertThat(words).contains(option.label());
            }
        }
        out.reset();
        assertThat(run(command.label(), "--help")).isZero();
        assertThat(out.toString(UTF_8).replaceAll("\\s+", " ")).isEqualTo(words);
    }

    @Test
    @DisplayName("the general help names every command but hidden ones")
    void generalHelp() {
        assertThat(run("--help")).isZero();
        for (Command command : Command.values()) {
            boolean shown = out.toString(UTF_8).lines().anyMatch(line -> line.startsWith("  " + command.label() + " "));
            assertThat(shown).as(command.label()).isEqualTo(!command.isHidden());
        }
    }

    @Test
    @DisplayName("the completion script knows commands and options")
    void completion() {
        assertThat(run("completion")).isZero();
        assertThat(out.toString(UTF_8))
                .contains("doctor")
                .contains("--tag-output")
                .contains("processes");
    }

    @Test
    @DisplayName("info has a line for each setting and conduit, and JSON with the same facts")
    void info() {
        assertThat(run("info")).isZero();
        assertThat(out.toString(UTF_8))
                .contains("version ")
                .contains("conduit mapped")
                .containsPattern("accelerator cuda +: (usable: driver of CUDA|not usable: .*(install|look at))")
                .containsPattern("algorithms p2p allreduce +: 0 inline, 1 partitioned, 2 knomial, 3 sra,")
                .contains("setting coterie.spins");
        out.reset();
        assertThat(run("info", "--json")).isZero();
        assertThat(out.toString(UTF_8))
                .startsWith("{\"version\":")
                .contains("\"conduits\":[{\"name\":\"mapped\"")
                .contains("\"accelerators\":[{\"name\":\"cuda\"")
                .contains("{\"layer\":\"self\",\"collective\":\"barrier\",\"names\":\"0 round, 1 alone\"}");
    }

    @Test
    @DisplayName("info --config is a file of settings, in which what is as by default is a comment")
    void config() {
        System.setProperty("coterie.spins", "77");
        try {
            assertThat(run("info", "--config")).isZero();
        } finally {
            System.clearProperty("coterie.spins");
        }
        assertThat(out.toString(UTF_8))
                .contains("# from coterie.spins; default: \nCOTERIE_SPINS = 77\n")
                .contains("\n# COTERIE_TLS = all\n")
                .contains("\n# COTERIE_LINK_TIMEOUT_S = 10\n")
                .contains("\n# COTERIE_CUDA_LIBRARY = \n")
                .doesNotContain("COTERIE_CONFIG_FILE =");
    }

    @Test
    @DisplayName("info lists names and defaults beside what is wrong with the file of settings")
    void brokenFile(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("coterie.conf"), "COTERIE_TSL = p2p\n");
        System.setProperty("coterie.config.file", file.toString());
        try {
            for (String[] words : new String[][] {{"info"}, {"info", "--json"}, {"info", "--config"}}) {
                assertThat(run(words)).isZero();
                assertThat(out.toString(UTF_8)).contains("COTERIE_TLS");
                assertThat(err.toString(UTF_8))
                        .contains("coterie info: " + file + ":1:1: there is no setting COTERIE_TSL; the nearest is"
                                + " COTERIE_TLS;");
                out.reset();
                err.reset();
            }
        } finally {
            System.clearProperty("coterie.config.file");
        }
    }

    @Test
    @DisplayName("info --scores names the settings that change nothing, and those that are for other teams")
    void scoreRemarks() {
        System.setProperty("coterie.cl.hier.tune", "allreduce:host#gather:5#bcast:[3]:7");
        try {
            assertThat(run("info", "--scores", "--nodes", "a:4,b:4")).isZero();
        } finally {
            System.clearProperty("coterie.cl.hier.tune");
        }
        assertThat(err.toString(UTF_8))
                .contains(
                        "setting CL_HIER_TUNE (from coterie.cl.hier.tune), column 1: \"allreduce:host\" has no effect")
                .contains("column 16: \"gather:5\" has no effect")
                .contains("column 25: \"bcast:[3]:7\" has no effect: the token is for teams of [3], but this team "
                        + "has 8")
                .hasLineCount(3);
        assertThat(out.toString(UTF_8)).contains("hier");
    }

    @Test
    @DisplayName("info goes on if a layer on the path can't be used, and says why")
    void unusableLayer() throws IOException {
        Path services = Files.createDirectories(folder.resolve("path/META-INF/services"));
        Files.writeString(services.resolve("coterie.layer.TransportLayer"), "no.such.Layer");
        String path = folder.resolve("path").toString();
        assertThat(run("info", "-cp", path)).isZero();
        assertThat(out.toString(UTF_8))
                .containsPattern("layer no.such.Layer +: not usable: .*Provider no.such.Layer not found");
        out.reset();
        assertThat(run("info", "--config", "-cp", path)).isZero();
        assertThat(out.toString(UTF_8)).contains("# layer no.such.Layer is not usable: coterie.layer.TransportLayer");
    }

    @Test
    @DisplayName("--version is one line")
    void version() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString(UTF_8)).startsWith("coterie ").hasLineCount(1);
    }
}
